import { underscore } from "framewright/host";
import type { BaseModel, ModelInfo, Query } from "framewright/plugins/database";
import {
  allows,
  fieldLabel,
  inSentence,
  labelsFor,
  type Policy,
  type Registration,
} from "framewright/plugins/resources";
import { countBy, countByColumn, countIn } from "../counts/counts.ts";
import type { Dashboard } from "../dashboard.ts";
import type { CardWidth } from "./card.ts";

/** How many resources have a figure, and how many have a chart of their states. */
const MAX_FIGURES = 4;
const MAX_STATES = 2;
/** Charts of states and lists of the latest fill one row together. */
const MAX_IN_ROW = 3;

/** Adds cards for the resources of the portal that the person may see, in the order of their registration; at boot for all. */
export function addResourceCards(dashboard: Dashboard): void {
  const seen = registrationsOf(dashboard);
  if (seen.length === 0) return;
  const identified = seen.filter(({ model }) => !model.key.isMissing);
  if (!isSomebody(dashboard)) {
    for (const one of identified.slice(0, MAX_IN_ROW)) addLatest(dashboard, one);
    return; // figures are for people who run the application
  }
  const figures = seen.slice(0, MAX_FIGURES);
  for (const one of figures) addFigure(dashboard, one, figures.length);
  const isWaiting = mayWait(dashboard);
  const dated = seen.find(({ model }) => isDatedBy(model));
  if (dated) addCreated(dashboard, dated, isWaiting ? "two_thirds" : "full");
  if (isWaiting) dashboard.waiting();
  const states = seen.flatMap((one) => enumOf(dashboard, one)).slice(0, MAX_STATES);
  for (const [one, column] of states) addStates(dashboard, one, column);
  for (const one of identified.slice(0, MAX_IN_ROW - states.length)) addLatest(dashboard, one);
}

/** Whether rows have the moment of their creation: in a table that was there before the column may be anything. */
const isDatedBy = ({ columns }: ModelInfo): boolean => columns.get("created_at")?.type === "datetime";
/** A column's name as a part of a card's key. */
const keyPart = (column: string): string => underscore(column).replace(/[^a-z0-9_]+/g, "_");

/** Whether somebody is signed in; at boot, where all cards are added, as well. */
const isSomebody = ({ context: { controller } }: Dashboard): boolean =>
  controller === undefined || controller.currentUser !== undefined;

/** Whether a plugin lists what waits for people. */
const mayWait = ({ context: { kernel } }: Dashboard): boolean => kernel.slotHooks("dashboards").waiting.taps.length > 0;

function registrationsOf({ context }: Dashboard): Registration[] {
  const { kernel, portal, controller } = context;
  const resources = kernel.service("resources");
  const all = [...resources.registry.of(portal).values()].filter(({ singular }) => !singular);
  if (!controller) return all;
  return all.filter(({ policyClass }) =>
    allows(resources.policy(controller as never, policyClass, undefined), "index"),
  );
}

/** A resource with its first enum that the person may read. */
function enumOf(dashboard: Dashboard, registration: Registration): [Registration, string][] {
  const { enums, columns } = registration.model;
  const column = Object.keys(enums).find((name) => columns.has(name) && mayRead(dashboard, registration, name));
  return column === undefined ? [] : [[registration, column]];
}

const permission = ({ model }: Registration) => ({
  policy: { resource: model.class, action: "index" },
  link: model.class,
});
const queryOf = (dashboard: Dashboard, { model }: Registration): Query<BaseModel> =>
  dashboard.query(model.class as unknown as { new (): BaseModel });
const t = ({ context }: Dashboard, key: string, vars: Record<string, unknown>) =>
  (context.controller ?? context.kernel.service("i18n")).t(`dashboards.${key}`, vars);
/** What the records are called, in the person's language; at boot as in the code. */
const labelsOf = ({ context }: Dashboard, registration: Registration) =>
  context.controller ? labelsFor(context.controller, registration) : registration.labels;
const inSentenceOf = ({ context }: Dashboard, label: string): string =>
  context.controller ? inSentence(context.controller, label) : label.toLowerCase();

const widths: Readonly<Record<number, CardWidth>> = { 2: "half", 3: "third" };

function addFigure(dashboard: Dashboard, registration: Registration, count: number): void {
  const { names, model } = registration;
  const labels = labelsOf(dashboard, registration);
  const isDated = isDatedBy(model);
  dashboard.metric(`${names.many}_figure`, {
    ...permission(registration),
    width: widths[count] ?? "quarter",
    label: isDated ? t(dashboard, "new_records", { models: inSentenceOf(dashboard, labels.many) }) : labels.many,
    value: (period) =>
      isDated
        ? countIn(queryOf(dashboard, registration), "created_at", period)
        : queryOf(dashboard, registration).resultSize(),
  });
}

function addCreated(dashboard: Dashboard, registration: Registration, width: CardWidth): void {
  const { names } = registration;
  const labels = labelsOf(dashboard, registration);
  dashboard.chart(`${names.many}_created`, {
    ...permission(registration),
    width,
    label: t(dashboard, "created_over_time", { models: labels.many }),
    data: (period) => {
      const unit = period.unit === "day" && period.count > 14 ? "week" : period.unit;
      return countBy(queryOf(dashboard, registration), "created_at", unit, period);
    },
  });
}

function addStates(dashboard: Dashboard, registration: Registration, column: string): void {
  const { names } = registration;
  const labels = labelsOf(dashboard, registration);
  const attribute = registration.attribute(column);
  const { controller } = dashboard.context;
  const name = controller ? fieldLabel(controller, registration, attribute, "input") : attribute.label;
  const about = inSentenceOf(dashboard, name);
  dashboard.chart(`${names.many}_by_${keyPart(column)}`, {
    ...permission(registration),
    label: t(dashboard, "by_column", { models: labels.many, column: about }),
    type: "doughnut",
    width: "third",
    data: () => countByColumn(queryOf(dashboard, registration), column),
  });
}

function addLatest(dashboard: Dashboard, registration: Registration): void {
  const { names, model } = registration;
  const labels = labelsOf(dashboard, registration);
  const isDated = isDatedBy(model) && mayRead(dashboard, registration, "created_at");
  dashboard.list(`${names.many}_latest`, {
    ...permission(registration),
    label: t(dashboard, "latest", { models: inSentenceOf(dashboard, labels.many) }),
    query: () => model.key.order(queryOf(dashboard, registration), "desc"),
    ...(isDated ? { time: "created_at" } : {}),
  });
}

/** Whether the policy permits the person to read an attribute; at boot there is no person. */
export function mayRead({ context }: Dashboard, registration: Registration, name: string): boolean {
  const { controller, kernel } = context;
  if (!controller) return true;
  const policy: Policy = kernel.service("resources").policy(controller as never, registration.policyClass, undefined);
  const permitted = (list: "Index" | "Show") => registration.permitted(policy, list).includes(name);
  return permitted("Index") || permitted("Show");
}
