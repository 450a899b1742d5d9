/** As much of a browser's page as the site's script uses; the types of all of it would be in reach of every file. */
export type PageElement = {
  hidden: boolean;
  innerHTML: string;
  value: string;
  textContent: string | null;
  readonly dataset: Readonly<Record<string, string | undefined>>;
  getAttribute(name: string): string | null;
  append(text: PageElement | string): void;
};

export type PageDocument = {
  readonly body: PageElement;
  createElement(name: string): PageElement & { className: string };
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
};
