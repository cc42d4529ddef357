// Geometry of the map of topics: where the circles are, which one is meant.
import type { Topic } from "./topics_data";

export interface MapCircle {
  x: number;
  y: number;
  radius: number;
}

export interface Zoom {
  k: number;
  x: number;
  y: number;
}

// All circles together cover this part of the map, and none is wider than that part of the shorter side.
const covered = 0.16;
const widest = 0.3;
const margin = 10;

const extent = (values: readonly number[]): [number, number] =>
  values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];

/** Height that suits the topics' positions, between broad and square. */
export function mapHeight(topics: readonly Topic[], width: number): number {
  const [left, right] = extent(topics.map((topic) => topic.x));
  const [bottom, top] = extent(topics.map((topic) => topic.y));
  const shape = right > left ? (top - bottom) / (right - left) : 0.7;
  return Math.round(width * Math.min(1, Math.max(0.7, shape)));
}

/** Radius of a share of 1: areas are as the shares. */
export function unitRadius(topics: readonly Topic[], width: number, height: number): number {
  const total = topics.reduce((sum, topic) => sum + topic.share, 0);
  const largest = Math.max(...topics.map((topic) => topic.high ?? topic.share), 1e-12);
  const byCover = Math.sqrt((covered * width * height) / (Math.PI * Math.max(total, 1e-12)));
  return Math.min(byCover, (widest * Math.min(width, height)) / 2 / Math.sqrt(largest));
}

/** One scale for both axes, since distances between the circles mean something. */
export function layOut(topics: readonly Topic[], width: number, height: number): MapCircle[] {
  const unit = unitRadius(topics, width, height);
  const [left, right] = extent(topics.map((topic) => topic.x));
  const [bottom, top] = extent(topics.map((topic) => topic.y));
  const rim = margin + unit * Math.sqrt(Math.max(...topics.map((topic) => topic.high ?? topic.share), 0));
  const across = right > left ? (width - 2 * rim) / (right - left) : Infinity;
  const up = top > bottom ? (height - 2 * rim) / (top - bottom) : Infinity;
  const scale = Number.isFinite(Math.min(across, up)) ? Math.min(across, up) : 1;
  return topics.map((topic) => ({
    x: width / 2 + scale * (topic.x - (left + right) / 2),
    y: height / 2 - scale * (topic.y - (bottom + top) / 2),
    radius: Math.max(1.5, unit * Math.sqrt(topic.share)),
  }));
}

/** Circles grow less than their distances do, so that a closer look parts them. */
export function zoomed(circle: MapCircle, zoom: Zoom): MapCircle {
  return { x: zoom.k * circle.x + zoom.x, y: zoom.k * circle.y + zoom.y, radius: Math.sqrt(zoom.k) * circle.radius };
}

/** The smallest circle at a point, else the nearest one within reach; null if there is none. */
export function circleAt(circles: readonly MapCircle[], x: number, y: number, reach: number): number | null {
  let best: number | null = null;
  let bestRank = Infinity;
  circles.forEach((circle, index) => {
    const distance = Math.hypot(circle.x - x, circle.y - y);
    const rank = distance <= circle.radius ? circle.radius - 1e6 : distance - circle.radius;
    if (rank < bestRank && rank <= reach) [best, bestRank] = [index, rank];
  });
  return best;
}

/** The next circle in a direction: near, and rather ahead than aside; null if none lies ahead. */
export function circleTowards(circles: readonly MapCircle[], from: number, dx: number, dy: number): number | null {
  const start = circles[from];
  let best: number | null = null;
  let bestRank = Infinity;
  if (start === undefined) return null;
  circles.forEach((circle, index) => {
    const ahead = dx * (circle.x - start.x) + dy * (circle.y - start.y);
    const aside = Math.abs(dy * (circle.x - start.x) - dx * (circle.y - start.y));
    const rank = ahead + 2 * aside;
    if (index !== from && ahead > 0.5 && aside <= 2 * ahead && rank < bestRank) [best, bestRank] = [index, rank];
  });
  return best;
}
