import { escapeHtml } from "framewright/host";
import { isAllowed, type Registration, type ResourceRequest } from "framewright/plugins/resources";
import {
  type Entry,
  fromList,
  hrefOf,
  type ListColumn,
  type ListRequest,
  labelColumn,
  type ShapePage,
} from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import type { CardOptions } from "./card_options.ts";

/** The names of what a card shows. */
export interface CardNames {
  readonly title: string | undefined;
  readonly image: string | undefined;
  /** The attribute that is shown beside the title without its label. */
  readonly state: string | undefined;
  readonly facts: readonly string[];
}

/** Where the names of a card come from. */
export interface CardSource {
  readonly list: ListRequest;
  /** The columns of the table. */
  readonly listed: readonly string[];
  readonly state?: string | undefined;
  /** What is shown in another place. */
  readonly without?: string;
  readonly most: number;
}

/** What the cards of a list show: the columns that the person chose for it, else what the definition names, else its first columns. */
export function cardNames(
  { model }: Registration,
  { title, image, facts }: CardOptions,
  { list, listed, state, without, most }: CardSource,
): CardNames {
  const shown = [title ?? labelColumn(model), image, state, without];
  const all = list.columns ?? facts ?? listed;
  return { title, image, state, facts: all.filter((name) => !shown.includes(name)).slice(0, most) };
}

/** As a list of names, for the shape of a list. */
export const namesOf = ({ title, image, state, facts }: CardNames): readonly string[] =>
  [title, image, state, ...facts].filter((name) => name !== undefined);

/** What is in a card besides what it shows of its record. */
export interface CardParts {
  /** Attributes of its element. */
  readonly attributes?: string;
  /** Below its facts. */
  readonly foot?: string;
}

/** Draws records as cards, of the columns that the person may read. */
export class CardDrawer {
  readonly #controller: ResourceRequest;
  readonly #names: CardNames;
  readonly #columns: ReadonlyMap<string, ListColumn>;
  readonly #from: string;

  constructor(controller: ResourceRequest, names: CardNames, { columns, list, urls }: ShapePage) {
    this.#controller = controller;
    this.#names = names;
    this.#columns = new Map(columns.map((column) => [column.name, column]));
    this.#from = fromList(controller, list, urls);
  }

  draw(entry: Entry, { attributes = "", foot = "" }: CardParts = {}): string {
    const { state, facts } = this.#names;
    const lines = facts.map((name) => this.#fact(entry, name)).join("");
    const list = lines === "" ? "" : `<dl class="fw-tile-facts">${lines}</dl>`;
    const sign = this.#cell(entry, state);
    const head = `<div class="fw-tile-head">${this.#title(entry)}${sign === "" ? "" : `<span class="fw-tile-state">${sign}</span>`}</div>`;
    return `<li class="fw-tile"${attributes}>${this.#image(entry)}${head}${list}${foot}</li>`;
  }

  #title(entry: Entry): string {
    const { title } = this.#names;
    const own =
      title !== undefined &&
      this.#columns
        .get(title)
        ?.cell(entry)
        .replace(/<\/?a\b[^>]*>/g, "");
    const text = own || escapeHtml(entry.toLabel());
    if (!isAllowed(entry.policy(), "canShow")) return `<span class="fw-tile-title">${text}</span>`;
    const href = hrefOf(entry.url());
    return `<a class="fw-tile-title" draggable="false" href="${href.includes("?") ? href : href + this.#from}">${text}</a>`;
  }
  #fact(entry: Entry, name: string): string {
    const column = this.#columns.get(name);
    const content = this.#cell(entry, name);
    return column && content !== "" ? `<div><dt>${escapeHtml(column.label)}</dt><dd>${content}</dd></div>` : "";
  }
  /** Empty for what the person may not read, and for what is not set. */
  #cell(entry: Entry, name: string | undefined): string {
    const column = name === undefined ? undefined : this.#columns.get(name);
    if (!column) return "";
    const attribute = this.#controller.registration.attribute(column.name);
    const related = attribute.source === "association" ? entry.related(column.name) : undefined;
    const isEmpty = attribute.source === "association" ? related === null : isNothing(entry.value(attribute));
    return isEmpty ? "" : column.cell(entry);
  }
  #image(entry: Entry): string {
    const { image } = this.#names;
    if (image === undefined || !this.#columns.has(image)) return "";
    const file = fileOf(entry.value(this.#controller.registration.attribute(image)));
    const large = file?.thumbnails?.large;
    const drawn =
      large === undefined
        ? iconOrNothing("photo").html
        : `<img src="${hrefOf(large)}" alt="${escapeHtml(file?.alternative ?? "")}" loading="lazy" draggable="false">`;
    return `<div class="fw-tile-image">${drawn}</div>`;
  }
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

interface Picture {
  readonly alternative?: string | null;
  readonly thumbnails?: { readonly large: string } | null;
}
/** The first file of what an image is. */
const fileOf = (value: unknown): Picture | undefined => ([value].flat()[0] ?? undefined) as Picture | undefined;
