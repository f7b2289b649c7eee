import { csrfInput, raw } from "framewright/host";
import type { ActionView } from "framewright/plugins/fields";
import { actionIcon, rowAction } from "framewright/plugins/fields/toolkit";
import { iconSheet } from "framewright/plugins/views";
import { type ResourceAction, standsAt } from "../definition/actions.ts";
import { predicateOf } from "../definition/policy.ts";
import { actionPath } from "../registration/urls.ts";
import type { ResourceRequest } from "../request.ts";
import { actionLabel, actionsAt, viewOf } from "./chrome.ts";
import { HOLES } from "./holes.ts";

const ADDRESS = HOLES.url;
const LABEL = HOLES.label;
const TOKEN = HOLES.token;
const BACK = HOLES.back;
const USUAL: ReadonlySet<string> = new Set(["edit", "destroy"]);
const EACH_HOLE = new RegExp(`(${Object.values(HOLES).join("|")})`);

/** What an action's markup on a row depends on. */
export interface RowFilling {
  /** The address of the record, and as it is written in an attribute. */
  url: string;
  href: string;
  /** What people call the record, escaped. */
  label: string;
  /** The address that the action returns to, as a parameter. */
  back?: string | undefined;
}

/** An action as it is drawn on each row: its markup is cut where the rows differ, and filled in. */
export class RowAction {
  readonly action: ResourceAction;
  readonly predicate: string;
  readonly icon: string | undefined;
  /** It leads to the address of the record itself. */
  readonly isPlainShow: boolean;
  /** It is on nearly every row, and leads to a page: the table has it once, and the script of the page puts it into the rows. */
  readonly isUsual: boolean;
  /** Text, hole, text, hole, … text. */
  readonly #pieces: readonly string[];
  readonly #path: string;
  readonly #method: string;

  /** `leadsBack`: what it leads to returns to an address that is filled in. */
  constructor(action: ResourceAction, label: string, leadsBack = false) {
    const view = viewOf(action, ADDRESS, label, () => raw(TOKEN));
    const { url } = view;
    this.action = action;
    this.predicate = predicateOf(action.policy ?? action.key);
    this.icon = actionIcon(view);
    this.isPlainShow = action.key === "show" && url === ADDRESS;
    if (leadsBack) returnFrom(view);
    this.#pieces = rowAction(view, LABEL).split(EACH_HOLE);
    this.#path = action.path ?? `actions/${action.key}`;
    this.#method = view.method;
    this.isUsual = USUAL.has(action.key) && standsAt(action, "record") && !this.#pieces.includes(TOKEN);
  }

  fill({ url, href, label, back = "" }: RowFilling, { request }: ResourceRequest): string {
    const pieces = this.#pieces;
    let out = pieces[0]!;
    for (let at = 1; at < pieces.length; at += 2) {
      const hole = pieces[at];
      out += hole === ADDRESS ? href : hole === LABEL ? label : hole === BACK ? back : this.#token(url, request);
      out += pieces[at + 1]!;
    }
    return out;
  }

  #token(url: string, request: ResourceRequest["request"]): string {
    return csrfInput(request, actionPath(url, this.#path, this.action.key), this.#method).html;
  }
}

/** Lets forms, questions and what is done at once return to where the row is. */
function returnFrom(view: ActionView): void {
  const to = `?return_to=${BACK}`;
  if (view.confirmUrl !== undefined) view.confirmUrl += to;
  else if ([`${ADDRESS}/edit`, `${ADDRESS}/actions/${view.key}`].includes(view.url)) view.url += to;
}

/** The actions that may be on the rows of a resource's lists; drawn once. `leadBack`: on rows of another page. */
export function rowActionsOf(controller: ResourceRequest, leadBack = false): readonly RowAction[] {
  const { registration } = controller;
  return registration.onceWithTexts(controller, leadBack ? "row actions that lead back" : "row actions", () =>
    actionsAt(registration, "row").map((action) => new RowAction(action, actionLabel(controller, action), leadBack)),
  );
}

/** Module-level: a pure function, cached: icons of actions are few, and named by code. */
const sheets = new Map<string, string>();
const MAX_SHEETS = 200;

/** The sheet of the icons that a table draws, in the order of their first use. */
export function iconSheetFor(icons: ReadonlySet<string>): string {
  const key = [...icons].join(" ");
  let sheet = sheets.get(key);
  if (sheet === undefined) {
    sheet = iconSheet(icons).html;
    if (sheets.size < MAX_SHEETS) sheets.set(key, sheet);
  }
  return sheet;
}
