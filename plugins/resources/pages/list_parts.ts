import type { SafeHtml } from "framewright/host";
import { Registry } from "framewright/kernel";
import type { ColumnView, ScopeView } from "framewright/plugins/fields";
import type { Policy } from "../definition/policy.ts";
import type { Entry, Page } from "../entry/entry.ts";
import { errors } from "../errors.ts";
import type { ListRequest } from "../registration/list_params.ts";
import type { ResourceRequest } from "../request.ts";
import type { ListUrls } from "./list_urls.ts";

/** A column of a list, compiled. */
export interface ListColumn extends Omit<ColumnView, "render"> {
  sortable: boolean;
  /** Whether links in its cells are those of the definition. */
  keepsLinks: boolean;
  /** Draws the content of its cells: safe HTML. */
  cell: (entry: Entry) => string;
}

/** The head of a list's page, for plugins that add to it. */
export class ListHead {
  readonly controller: ResourceRequest;
  readonly list: ListRequest;
  readonly urls: ListUrls;
  /** The policy of the list, and the names that it permits there. */
  readonly policy: Policy;
  readonly names: readonly string[];
  /** What is drawn beside the tabs. */
  readonly besideTabs: SafeHtml[] = [];
  /** Where the tab of all records leads, in place of the list as it is requested without a query. */
  allUrl?: string;
  /** Buttons and menus before the actions of the list. */
  readonly menu: SafeHtml[] = [];
  /** What is drawn in the bar above the rows, after the search and what is beside it. */
  readonly filters: SafeHtml[] = [];
  /** What is drawn at the end of that bar. */
  readonly tools: SafeHtml[] = [];
  readonly #tabs: Registry<ScopeView>;

  constructor(of: Pick<ListHead, "controller" | "list" | "urls" | "policy" | "names">) {
    const { controller, list, urls, policy, names } = of;
    this.controller = controller;
    this.list = list;
    this.urls = urls;
    this.policy = policy;
    this.names = names;
    const adder = () => controller.request.kernel.tapping(this);
    this.#tabs = new Registry("the tab of lists", adder, { isReplaceable: false });
  }
  /** Adds a tab after those of its scopes. @throws FW_REGISTRY_TAKEN where another plugin has added its key */
  addTab(tab: ScopeView): void {
    this.#tabs.add(tab.key, tab);
  }
  get tabs(): ScopeView[] {
    return [...this.#tabs.entries()].map(([, tab]) => tab);
  }
}

/** What parts of rows need on their page. */
export interface RowNeeds {
  /** Names of assets, in the order in which they are loaded. */
  readonly scripts?: readonly string[];
  readonly icons?: readonly string[];
}
/** Draws around the content of a row's cells; undefined for a row that stays as it is. */
export type CellWrapper = (
  entry: Entry,
) => ((column: ListColumn, content: string, isFirst: boolean) => string) | undefined;
/** Draws before the actions of a row; empty for nothing. */
export type RowExtra = (entry: Entry) => string;
interface Part<D> {
  readonly draw: D;
  readonly needs: RowNeeds;
}

/** The row below the rows of a list: content by the names of columns, and a title in the first cell. */
export interface ListFoot {
  readonly title: string;
  readonly cells: ReadonlyMap<string, string>;
}

/** What selects the rows of a list. */
export interface RowSelection {
  /** The cell that each row begins with. */
  cell(entry: Entry): string;
  /** The one that the headers begin with. */
  readonly header: string;
  /** What is shown below the table. */
  readonly bar: string;
}

/** The rows of a list, for plugins that add to them. */
export class ListRows {
  readonly controller: ResourceRequest;
  readonly list: ListRequest;
  readonly columns: readonly ListColumn[];
  readonly entries: readonly Entry[];
  /** How many rows match in all; `isCapped`: no more than so many were counted. */
  readonly total: number;
  readonly isCapped: boolean;
  /** How rows are selected; undefined where they are not. */
  selection: RowSelection | undefined = undefined;
  readonly wrappers: Part<CellWrapper>[] = [];
  readonly extras: Part<RowExtra>[] = [];
  #foot: { readonly row: ListFoot; readonly owner: string | undefined } | undefined;

  constructor(
    controller: ResourceRequest,
    list: ListRequest,
    columns: readonly ListColumn[],
    { entries, total, capped }: { entries: readonly Entry[]; total: number; capped: boolean },
  ) {
    this.controller = controller;
    this.list = list;
    this.columns = columns;
    this.entries = entries;
    this.total = total;
    this.isCapped = capped;
  }
  /** The row below them. One plugin sets it; another may with `rows.foot ??= …`, where there is none. */
  get foot(): ListFoot | undefined {
    return this.#foot?.row;
  }
  /** @throws FW_LIST_FOOT_TAKEN */
  set foot(row: ListFoot) {
    const owner = this.controller.request.kernel.tapping(this);
    const { constant } = this.controller.registration;
    if (this.#foot && this.#foot.owner !== owner)
      throw errors.FW_LIST_FOOT_TAKEN(constant, String(this.#foot.owner), String(owner));
    this.#foot = { row, owner };
  }
  /** Draws around the content of cells; `needs` is loaded where a row was drawn so. */
  wrapCells(draw: CellWrapper, needs: RowNeeds = {}): void {
    this.wrappers.push({ draw, needs });
  }
  /** Draws before the actions of each row. */
  addExtra(draw: RowExtra, needs: RowNeeds = {}): void {
    this.extras.push({ draw, needs });
  }
}

/** How the table of a list is drawn, on its own page and in panels. */
export interface TableLook {
  /** Low rows. */
  isCompact: boolean;
  /** Changes the headers of its columns, as they are drawn. */
  changeHeaders?(drawn: string): string;
}

/** What a list has in another shape. Its columns are those that the shape names, as far as the person may read them. */
export interface ShapePage {
  readonly list: ListRequest;
  readonly urls: ListUrls;
  readonly columns: readonly ListColumn[];
  readonly page: Page;
}

/**
 * A shape of a list beside its table, which a plugin adds in the hook `listShapes`.
 * @example shapes.add("titles", { label: "Titles", icon: "article", names: () => ["title"], draw: ({ page }) => html`…` })
 */
export interface ListShape {
  readonly label: string;
  /** A name of @tabler/icons. */
  readonly icon: string;
  /** The names that it shows; `listed` has those of the table. */
  names(list: ListRequest, listed: readonly string[]): readonly string[];
  /** Whether the person has it in the place of the table and of other shapes. */
  readonly isOnly?: boolean;
  /** Whether it is drawn where there is nothing to show, too. */
  readonly drawsEmpty?: boolean;
  /** Reads what it shows, where that is no page of the list: it has no pager then. `read` reads a page of a list. */
  read?(list: ListRequest, read: (list: ListRequest) => Promise<Page>): Promise<Page>;
  /** Draws what was read, in the place of the table. */
  draw(page: ShapePage): SafeHtml | Promise<SafeHtml>;
}
