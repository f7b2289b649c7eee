import type { BaseController } from "framewright/host";
import type { BaseModel, ModelClass, Query, ReadName } from "framewright/plugins/database";
import type { Categories, Measured, Series } from "../counts/counts.ts";
import type { Period } from "../period.ts";

/** How wide a card is: of a row of twelve columns. On narrow screens cards are wider. */
export type CardWidth = "quarter" | "third" | "half" | "two_thirds" | "full";

/** What a policy of a resource must allow; the resource is one of the portal's. */
export interface ResourcePermission {
  readonly resource: ModelClass;
  /** `index` checks `canIndex`; by default `index`. */
  readonly action?: string;
}

/** How long the data of a card is cached. */
export interface CardCache {
  readonly seconds: number;
  /** One copy for everybody in the portal and tenant, in place of one for each account; refused where a query depends on the person. */
  readonly shared?: boolean;
}

/** What every card may declare. `D` is the class of the dashboard. */
export interface CardOptions<D> {
  /** By default the key, as people read it. */
  label?: string;
  width?: CardWidth;
  /** Who sees it: the name of a method of the dashboard, what the policy of a resource must allow, or a function, as of a plugin. Anything but true denies. */
  policy?: (keyof D & string) | ResourcePermission | ((controller: BaseController) => boolean | Promise<boolean>);
  /** Where its heading leads: the list of a resource, or a path. */
  link?: ModelClass | string;
  /** Milliseconds after which the card shows that it takes too long. */
  limit?: number;
  /** Seconds for which its data is cached, by account unless it is shared. By default it is not cached. */
  cache?: number | CardCache;
}

/** A number, the change since the period before, and a small line of its way. */
export interface MetricOptions<D> extends CardOptions<D> {
  /** A number, or what `countIn` and `sumIn` return. */
  value(period: Period): number | Measured | Promise<number | Measured>;
  /** How the number is written; by default with thousands separated. */
  format?(value: number): string;
}

/** A number with what it is about. */
export interface Point {
  readonly label: string;
  readonly value: number;
}
/** What a chart draws: what `countBy` and `countByColumn` return, or points of your own. */
export type ChartData = Series | Categories | readonly Point[];

/** A chart, and its data as a table. */
export interface ChartOptions<D> extends CardOptions<D> {
  /** By default a line for numbers over time, else bars. */
  type?: "line" | "bar" | "doughnut";
  data(period: Period): ChartData | Promise<ChartData>;
  format?(value: number): string;
}

/** The first records of a query, each by its label. */
export interface ListOptions<M extends BaseModel, D> extends CardOptions<D> {
  query(period: Period): Query<M>;
  /** The most records; 5 by default. */
  rows?: number;
  /** A second line for a record. */
  text?(record: M): string | undefined;
  /** A column of time or date, shown at the end of the line. */
  time?: ReadName<M>;
  /** What is shown where there are none. */
  empty?: string;
}

/** The first records of a query with some of their attributes, shown as the resource shows them. */
export interface TableOptions<M extends BaseModel, D> extends CardOptions<D> {
  query(period: Period): Query<M>;
  /** Names of attributes; of a resource those alone that its policy permits are shown. By default the first of them. */
  columns?: readonly ReadName<M>[];
  rows?: number;
  empty?: string;
}

/** A line of a card of links. */
export interface CardLink {
  readonly label: string;
  readonly url: string;
  readonly text?: string;
  /** A name of @tabler/icons. */
  readonly icon?: string;
}
/** Links. */
export interface LinksOptions<D> extends CardOptions<D> {
  links(): readonly CardLink[] | Promise<readonly CardLink[]>;
  empty?: string;
}

/** A template of the application. */
export interface CustomOptions<D> extends CardOptions<D> {
  /** As in `admin_portal/dashboards/stock`, below `app/views`. */
  view: string;
  locals?(period: Period): Record<string, unknown> | Promise<Record<string, unknown>>;
}

/** The options of each kind of card. */
export interface CardKinds<D> {
  metric: MetricOptions<D>;
  chart: ChartOptions<D>;
  list: ListOptions<BaseModel, D>;
  table: TableOptions<BaseModel, D>;
  links: LinksOptions<D>;
  custom: CustomOptions<D>;
  waiting: CardOptions<D>;
}
/** A kind of card. */
export type CardKind = keyof CardKinds<unknown>;

/** A card as a dashboard declared it. */
export type Card = {
  [K in CardKind]: {
    readonly kind: K;
    readonly key: string;
    readonly label: string;
    readonly width: CardWidth;
    readonly options: CardKinds<Record<string, unknown>>[K];
  };
}[CardKind];

export const defaultWidth: Readonly<Record<CardKind, CardWidth>> = {
  metric: "quarter",
  chart: "two_thirds",
  list: "third",
  table: "two_thirds",
  links: "third",
  custom: "third",
  waiting: "third",
};
