// The topic explorer: map of the topics, words by relevance, documents, search.
import { element } from "./element";

export interface TopicsData {
  topics: { number: number }[];
}

export function showTopics(container: HTMLElement, data: TopicsData): void {
  container.append(element("p", {}, `${data.topics.length} topics`));
}
