import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";
import { hrefOf, ListChoices, type ListHead, type ListUrls } from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import { conditionText } from "./condition_text.ts";
import {
  type ConditionGroup,
  changeAt,
  type FilterField,
  type FilterValue,
  groupsAt,
  keyOf,
  type Place,
  without,
} from "./condition_tree.ts";
import { OPTIONS, optionUrl } from "./option.ts";

/** A placeholder for the address and the query of the list in what is drawn once. */
const QUERY = "\u0091";

/** Adds what is on, and the links that open filters, columns and display, to the bar of a list. */
export function addBar({ controller, list, urls, names, filters, tools }: ListHead): Promise<void> | undefined {
  const choices = new ListChoices(controller, names);
  const query = urls.query() === "" ? "?" : safeUrl(`${urls.query()}&`);
  const open = (show: string, icon: string, text: string) => {
    const parts = controller.registration.onceWithTexts(controller, `link to ${show}`, () =>
      opener(`${QUERY}show=${show}`, icon, controller.t(text)).html.split(QUERY),
    );
    return raw(parts.join(hrefOf(urls.base + OPTIONS) + query));
  };
  if (choices.hasFields) filters.push(open("add", "plus", "filters.add"));
  if (choices.hasColumns)
    tools.push(
      open("columns", "columns-3", "filters.columns"),
      open("display", "adjustments-horizontal", "filters.display"),
    );
  if (list.filters.size === 0 && list.groups.length === 0) return undefined;
  const chips = new Chips(controller, choices, { fields: choices.fields(), urls, root: list });
  return chips.draw().then((drawn) => void (drawn && filters.push(drawn)));
}

const opener = (url: string, icon: string, text: string): SafeHtml =>
  html`<a class="btn fw-open" href="${raw(url)}" data-popover="${FRAME}">${iconOrNothing(icon)}<span>${text}</span></a>`;
/** The id of the frame that options are loaded into. */
export const FRAME = "fw-options";

/** The conditions that are on, each a link that opens it and one that removes it. */
class Chips {
  readonly #controller: ResourceRequest;
  readonly #choices: ListChoices;
  readonly #fields: ReadonlyMap<string, FilterField>;
  readonly #urls: ListUrls;
  readonly #root: ConditionGroup;

  constructor(
    controller: ResourceRequest,
    choices: ListChoices,
    { fields, urls, root }: { fields: readonly FilterField[]; urls: ListUrls; root: ConditionGroup },
  ) {
    this.#controller = controller;
    this.#choices = choices;
    this.#fields = new Map(fields.map((one) => [one.name, one]));
    this.#urls = urls;
    this.#root = root;
  }

  async draw(): Promise<SafeHtml | undefined> {
    const chips = await this.#inside(this.#root, "");
    if (chips.length === 0) return undefined;
    const label = this.#t("framework.filters");
    return html`<ul class="fw-chips" aria-label="${label}">${chips.length > 1 && this.#match(this.#root, "")}${chips}</ul>`;
  }

  async #inside(group: ConditionGroup, place: Place): Promise<SafeHtml[]> {
    const chips: SafeHtml[] = [];
    for (const [name, value] of group.filters) {
      const field = this.#fields.get(name);
      if (!field || (place === "" && this.#choices.isStanding(name, group))) continue;
      for (const part of this.#choices.parts(name, value)) chips.push(await this.#chip(field, part, place));
    }
    for (const [at, one] of groupsAt(group, place)) chips.push(...(await this.#group(one, at)));
    return chips;
  }
  /** A group; one of a single condition, which a second one of its field made, is as that condition. */
  async #group(group: ConditionGroup, place: Place): Promise<SafeHtml[]> {
    const chips = await this.#inside(group, place);
    if (chips.length === 0 || (chips.length === 1 && group.match !== "none")) return chips;
    const add = optionUrl(this.#urls, "add", { place });
    const text = this.#t("filters.add");
    return [
      html`<li class="fw-chip-group"><ul aria-label="${this.#t(`filters.match.${group.match}`)}">${this.#match(group, place)}${chips}<li><a class="fw-chip-add" href="${safeUrl(add)}" data-popover="${FRAME}" aria-label="${text}" title="${text}">${iconOrNothing("plus")}</a></li></ul></li>`,
    ];
  }
  #match({ match }: ConditionGroup, place: Place): SafeHtml {
    const url = optionUrl(this.#urls, "group", { place });
    return html`<li><a class="fw-chip-match" href="${safeUrl(url)}" data-popover="${FRAME}">${this.#t(`filters.match.${match}`)}${iconOrNothing("chevron-down")}</a></li>`;
  }
  async #chip(field: FilterField, part: FilterValue, place: Place): Promise<SafeHtml> {
    const { label, name } = field;
    const key = keyOf(part);
    const text = await conditionText(this.#controller, this.#choices, field, part);
    const edit = optionUrl(this.#urls, "set", { place, field: name, was: key });
    const removed = this.#urls.conditions(changeAt(this.#root, place, (group) => without(group, name, key)));
    const remove = this.#t("filters.remove", { filter: `${label}: ${text}` });
    return html`<li class="fw-chip"><a href="${safeUrl(edit)}" data-popover="${FRAME}"><span>${label}</span> ${text}</a><a class="fw-chip-remove" href="${safeUrl(removed)}" aria-label="${remove}">${iconOrNothing("x")}</a></li>`;
  }
  #t(key: string, vars?: Record<string, unknown>): string {
    return this.#controller.t(key, vars);
  }
}
