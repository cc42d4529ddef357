// Where the labels of circles can stand without touching one another.

export interface LabelledCircle {
  x: number;
  y: number;
  radius: number;
  /** Written into the circle if it fits, before the word otherwise. */
  number: string;
  word: string;
}

export interface PlacedLabel {
  circle: number;
  text: "number" | "word" | "both";
  /** Middle of the text's height. */
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface LabelOptions {
  width: number;
  height: number;
  lineHeight: number;
  measure: (text: string) => number;
}

const gap = 3;

const apart = (a: Box, b: Box): boolean =>
  a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

function touches(circle: LabelledCircle, box: Box): boolean {
  const dx = circle.x - Math.min(Math.max(circle.x, box.left), box.right);
  const dy = circle.y - Math.min(Math.max(circle.y, box.top), box.bottom);
  return dx * dx + dy * dy < circle.radius * circle.radius;
}

/** Things by the squares of the plane that they touch, to look only at what is near. */
class Neighbourhood<Thing> {
  private static readonly side = 40;
  private readonly squares = new Map<number, Thing[]>();

  add(box: Box, thing: Thing): void {
    for (const square of this.touched(box)) {
      const things = this.squares.get(square);
      if (things === undefined) this.squares.set(square, [thing]);
      else things.push(thing);
    }
  }

  /** Whether no thing near the box has the property. */
  none(box: Box, property: (thing: Thing) => boolean): boolean {
    for (const square of this.touched(box)) {
      if (this.squares.get(square)?.some(property)) return false;
    }
    return true;
  }

  private *touched(box: Box): Generator<number> {
    const at = (value: number): number => Math.floor(value / Neighbourhood.side);
    for (let row = at(box.top); row <= at(box.bottom); ++row) {
      for (let column = at(box.left); column <= at(box.right); ++column) yield 4096 * row + column;
    }
  }
}

/** The four places beside a circle, the best first. */
function places(circle: LabelledCircle): Pick<PlacedLabel, "x" | "y" | "anchor">[] {
  const { x, y, radius } = circle;
  return [
    { x: x + radius + gap, y, anchor: "start" },
    { x: x - radius - gap, y, anchor: "end" },
    { x, y: y + radius + gap, anchor: "middle" },
    { x, y: y - radius - gap, anchor: "middle" },
  ];
}

function boxAt(x: number, y: number, anchor: PlacedLabel["anchor"], width: number, height: number): Box {
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { left, right: left + width, top: y - height / 2, bottom: y + height / 2 };
}

/** The space that a placed label takes. */
export function labelBox(label: PlacedLabel, circles: readonly LabelledCircle[], options: LabelOptions): Box {
  const circle = circles[label.circle];
  const text =
    circle === undefined
      ? ""
      : label.text === "number"
        ? circle.number
        : label.text === "word"
          ? circle.word
          : `${circle.number} ${circle.word}`;
  return boxAt(label.x, label.y, label.anchor, options.measure(text), options.lineHeight);
}

/**
 * Goes through the circles in their order, the most important first. The number stands inside where it fits. The
 * word stands beside the circle (with the number, if that is not inside) where it touches no other circle and no
 * label; without room for it the number alone is tried there. What finds no room is left out.
 */
export function placeLabels(circles: readonly LabelledCircle[], options: LabelOptions): PlacedLabel[] {
  const labels: PlacedLabel[] = [];
  const boxes = new Neighbourhood<Box>();
  const discs = new Neighbourhood<LabelledCircle>();
  for (const circle of circles)
    discs.add(boxAt(circle.x, circle.y, "middle", 2 * circle.radius, 2 * circle.radius), circle);
  const put = (label: PlacedLabel, box: Box): void => {
    labels.push(label);
    boxes.add(box, box);
  };
  const free = (box: Box, own: LabelledCircle): boolean =>
    box.left >= 0 &&
    box.right <= options.width &&
    box.top >= 0 &&
    box.bottom <= options.height &&
    boxes.none(box, (other) => !apart(box, other)) &&
    discs.none(box, (circle) => circle !== own && touches(circle, box));
  const putBeside = (index: number, circle: LabelledCircle, text: PlacedLabel["text"]): boolean => {
    for (const place of places(circle)) {
      const label: PlacedLabel = { circle: index, text, ...place };
      if (place.anchor === "middle") label.y += Math.sign(place.y - circle.y) * (options.lineHeight / 2 - gap);
      const box = labelBox(label, circles, options);
      if (!free(box, circle)) continue;
      put(label, box);
      return true;
    }
    return false;
  };
  const inside = circles.map((circle, index) => {
    const width = options.measure(circle.number);
    // The digits, which take three fifths of the line's height, have to lie in the circle.
    if (Math.hypot(width, options.lineHeight * 0.6) > 2 * circle.radius) return false;
    if (circle.x < 0 || circle.x > options.width || circle.y < 0 || circle.y > options.height) return false;
    const box = boxAt(circle.x, circle.y, "middle", width, options.lineHeight);
    if (!boxes.none(box, (other) => !apart(box, other))) return false;
    put({ circle: index, text: "number", x: circle.x, y: circle.y, anchor: "middle" }, box);
    return true;
  });
  circles.forEach((circle, index) => {
    if (inside[index] === true) putBeside(index, circle, "word");
    else if (!putBeside(index, circle, "both")) putBeside(index, circle, "number");
  });
  return labels;
}
