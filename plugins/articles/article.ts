import { publicOrigin } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";
import { detailOf, type Entry } from "framewright/plugins/resources/toolkit";
import type { ArticleNames } from "./article_options.ts";
import { beginning, plainText } from "./plain_text.ts";

/** Characters of what describes an article. */
const SUMMARY_CHARS = 240;

interface Picture {
  readonly url?: string;
  readonly alternative?: string | null;
  readonly thumbnails?: { readonly large?: string } | null;
}

/** A record as an article, of what the person may read of it. */
export class Article {
  readonly #controller: ResourceRequest;
  readonly #entry: Entry;
  readonly #names: ArticleNames;

  /** `permitted`: the names that the person may read. */
  constructor(controller: ResourceRequest, entry: Entry, names: ArticleNames, permitted: readonly string[]) {
    this.#controller = controller;
    this.#entry = entry;
    const may = Object.entries(names).filter(([, name]) => name !== undefined && permitted.includes(name));
    this.#names = Object.fromEntries(may);
  }
  /** The parts that the person may read, by their names. */
  get names(): ArticleNames {
    return this.#names;
  }
  get title(): string {
    return this.#entry.toLabel();
  }
  get body() {
    return this.#html(this.#names.body);
  }
  get summary(): string {
    const own = this.#html(this.#names.summary) ?? this.body;
    return own === undefined ? "" : beginning(plainText(own), SUMMARY_CHARS);
  }
  get author(): string | undefined {
    const shown = this.#html(this.#names.author);
    return shown && (plainText(shown) || undefined);
  }
  get date(): Date | undefined {
    const { date } = this.#names;
    const value = date === undefined ? undefined : this.#entry.value(this.#attribute(date));
    if (value instanceof Date) return value;
    return typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) ? new Date(value) : undefined;
  }
  /** The date as the person reads it. */
  get dateText(): string | undefined {
    const shown = this.date && this.#html(this.#names.date);
    return shown && plainText(shown);
  }
  get picture(): { url: string; alternative: string } | undefined {
    const { image } = this.#names;
    const value = image === undefined ? undefined : this.#entry.value(this.#attribute(image));
    const file = [value].flat()[0] as Picture | null | undefined;
    const url = file?.thumbnails?.large ?? file?.url;
    return url === undefined ? undefined : { url, alternative: file?.alternative ?? "" };
  }
  /** The address of its page, with the origin. */
  get url(): string {
    return this.absolute(this.#entry.url());
  }
  absolute(path: string): string {
    return new URL(path, publicOrigin(this.#controller.request)).href;
  }

  #attribute(name: string) {
    return this.#controller.registration.attribute(name);
  }
  /** Undefined for what the person may not read, and for what is not set. */
  #html(name: string | undefined) {
    if (name === undefined) return undefined;
    const attribute = this.#attribute(name);
    const value = attribute.source === "association" ? this.#entry.related(name) : this.#entry.value(attribute);
    if (value === null || value === undefined || value === "") return undefined;
    return detailOf(this.#controller, attribute, this.#entry.record);
  }
}
