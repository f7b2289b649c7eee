import type { Reply, SafeHtml } from "framewright/host";
import { hidden } from "framewright/plugins/fields/toolkit";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { ListChoices, ListRequest, ListUrls } from "framewright/plugins/resources/toolkit";

/** What is opened at the head of a list, with the list as its address requests it. */
export interface Option {
  readonly controller: ResourceRequest;
  readonly list: ListRequest;
  readonly urls: ListUrls;
  readonly choices: ListChoices;
  readonly t: (key: string, vars?: Record<string, unknown>) => string;
}
/** What is drawn of it: a title, and its content; or where it leads. */
export type OptionView = Reply | { readonly title: string; readonly content: SafeHtml; readonly status?: number };

/** Where they are opened, below the list. */
export const OPTIONS = "/list/options";
/** The address of what is opened at the head of a list, which carries the parameters of the list. */
export function optionUrl(urls: ListUrls, show: string, more: Readonly<Record<string, string>> = {}): string {
  const added = Object.entries({ show, ...more }).filter(([, value]) => value !== "");
  const query = urls.query();
  return `${urls.base}${OPTIONS}${query === "" ? "?" : `${query}&`}${new URLSearchParams(added)}`;
}

/** The list as fields of a form, without some. */
export const carried = (urls: ListUrls, left: readonly string[] = []): string =>
  urls
    .carried()
    .flatMap(([name, value]) => (left.includes(name) ? [] : [hidden(name, value)]))
    .join("");
