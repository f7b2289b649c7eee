import { describe, suggest } from "framewright/kernel";
import { BaseModel } from "framewright/plugins/database";
import type { Anchored } from "./anchored_record.ts";
import type { RunKind, StepContext, StepSpec, WizardClass, WizardMetadata, WizardWidth } from "./contract/index.ts";
import { errors } from "./errors.ts";
import { checkSteps, type Refuse } from "./flow/flow_rules.ts";

/** The options of `Wizard(flow, { … })`. */
export interface WizardOptions<H extends Anchored = Anchored, O extends boolean = boolean> {
  /** `group` is the heading that it is listed under in a portal's sidebar. */
  presents?: { label?: string; icon?: string; description?: string; group?: string };
  /** The record that it is about. */
  anchored?: H;
  /** Distinguishes a person's open runs in a portal and tenant: one run per returned value. */
  concurrencyKey?: (run: StepContext) => unknown;
  /** Runs belong to everybody who may use the wizard in that portal and tenant; else to the person who launched them. */
  shared?: boolean;
  /** Completed once per key. */
  oneTime?: O;
  /** For guests: one run per browser session. */
  anonymous?: boolean;
  /** Whether the stepper links back only ("linear"), or to every visited step ("free"). */
  navigation?: "linear" | "free";
  stepper?: boolean;
  /** On a launch while a run is open: offer that one, or start a new one without asking. */
  onRelaunch?: "ask" | "new";
  /** Milliseconds that an open run is retained after its last change. */
  cleanupAfter?: number | "never";
  /** Stores the answers encrypted; by default as the plugin's options set it. */
  encryptData?: boolean;
  completed?: { title?: string; text?: string };
  width?: WizardWidth;
}
type Name = keyof WizardOptions;

export const widths = ["narrow", "normal", "wide"] as const satisfies readonly WizardWidth[];
const choices: { readonly [K in Name]?: readonly string[] } = {
  navigation: ["linear", "free"],
  onRelaunch: ["ask", "new"],
  width: widths,
};
const names: readonly Name[] = [
  "presents",
  "anchored",
  "concurrencyKey",
  "shared",
  "oneTime",
  "anonymous",
  "navigation",
  "stepper",
  "onRelaunch",
  "cleanupAfter",
  "encryptData",
  "completed",
  "width",
];

/**
 * Checks options and steps, also against each other, and applies the defaults.
 * @throws FW_WIZARD_OPTIONS, FW_WIZARD_OPTION, FW_WIZARD_BULK
 */
export function readOptions(steps: readonly StepSpec[], options: WizardOptions): WizardMetadata {
  const flow = steps[0] ? `the flow that begins with "${steps[0].key}"` : "an empty flow";
  const refuse: Refuse = (what, fix) => {
    throw errors.FW_WIZARD_OPTIONS(flow, what, fix);
  };
  checkNames(flow, options);
  checkValues(options, refuse);
  checkSteps(steps, refuse);
  checkTogether(options, refuse);
  return {
    presents: options.presents ?? {},
    anchored: options.anchored,
    concurrencyKey: options.concurrencyKey,
    shared: options.shared ?? false,
    oneTime: options.oneTime ?? false,
    anonymous: options.anonymous ?? false,
    navigation: options.navigation ?? "linear",
    stepper: options.stepper ?? true,
    onRelaunch: options.onRelaunch ?? "ask",
    cleanupAfter: options.cleanupAfter,
    encryptData: options.encryptData,
    completed: options.completed,
    width: options.width,
  };
}

/** How the runs of a wizard are identified. */
export function kindOf({ metadata }: Pick<WizardClass, "metadata">): RunKind {
  if (metadata.anonymous) return "guest";
  return metadata.anchored || metadata.concurrencyKey ? "keyed" : "tokened";
}

function checkNames(flow: string, options: object): void {
  for (const name of Object.keys(options)) {
    if (/^bulk/i.test(name)) throw errors.FW_WIZARD_BULK(`the wizard of ${flow}`, name);
    if (!(names as readonly string[]).includes(name)) throw errors.FW_WIZARD_OPTION(flow, name, suggest(name, names));
  }
}

function checkValues(options: WizardOptions, refuse: Refuse): void {
  const given = options as Record<string, unknown>;
  const expect = (name: Name, expected: string, fits: (value: unknown) => boolean) => {
    if (given[name] !== undefined && !fits(given[name]))
      refuse(`has ${name}: ${describe(given[name])}`, `It takes ${expected}.`);
  };
  for (const [name, values] of Object.entries(choices))
    expect(name as Name, values.map((one) => `"${one}"`).join(", "), (value) => values.includes(value as string));
  for (const name of ["shared", "oneTime", "anonymous", "stepper", "encryptData"] as const)
    expect(name, "true or false", (value) => typeof value === "boolean");
  for (const name of ["presents", "completed"] as const)
    expect(name, "an object", (value) => typeof value === "object" && value !== null);
  expect("concurrencyKey", "a function of the run", (value) => typeof value === "function");
  expect("cleanupAfter", 'milliseconds above zero, or "never"', (value) => value === "never" || Number(value) > 0);
  expect("anchored", 'what anchored({ with: Model }) or anchored({ via: "method" }) returns', isAnchored);
}

const isAnchored = (value: unknown): boolean => {
  const { with: models, via, ...rest } = (value ?? {}) as Anchored;
  if (Object.keys(rest).length > 0 || (models === undefined) === (via === undefined)) return false;
  if (models === undefined) return typeof via === "string" && via !== "";
  return Array.isArray(models) && models.length > 0 && models.every((model) => model?.prototype instanceof BaseModel);
};

function checkTogether({ shared, oneTime, anonymous, concurrencyKey, anchored }: WizardOptions, refuse: Refuse): void {
  const fix = "A guest is only known by the browser's session: remove one of the two.";
  if (anonymous && concurrencyKey) refuse("sets anonymous and concurrencyKey", fix);
  if (anonymous && shared) refuse("sets anonymous and shared", fix);
  if (anonymous && oneTime) refuse("sets anonymous and oneTime", fix);
  if (anonymous && anchored?.with) refuse("sets anonymous and is anchored with a model", fix);
  if (oneTime && !concurrencyKey && !anchored)
    refuse("sets oneTime without a key", "Add concurrencyKey: (run) => run.currentUser, or anchor it.");
}
