import type { ParamObject } from "framewright/host";
import type { FlowSchema, Staged, StepValues } from "./steps.ts";

/** "tokened": one row per launch, addressed by the URL's token; "keyed": one open row per key; "guest": one open row per browser session. */
export type RunKind = "tokened" | "keyed" | "guest";

export type RunState = "in_progress" | "completing" | "completed";
/** A run as hooks and pages see it, without its answers. */
export interface RunInfo {
  readonly id: number;
  /** The wizard's constant: `OnboardOrganizationWizard`. */
  readonly wizard: string;
  readonly kind: RunKind;
  readonly state: RunState;
  readonly cursor: string;
  readonly portal: string | undefined;
  readonly anchorType: string | undefined;
  readonly anchorId: string | undefined;
  readonly scopeGid: string | undefined;
  readonly startedAt: Date | undefined;
  readonly updatedAt: Date;
}
/** A run with its answers, as one request works on it; `runs/run.ts` decodes it from a row. */
export interface Run extends RunInfo {
  readonly staged: Staged;
  /** Answers that the steps have no place for, with their types, by step: another release may need them. */
  readonly aside: Readonly<Record<string, { readonly schema: Record<string, string>; readonly values: StepValues }>>;
  /** Input that was typed but not submitted, by step. */
  readonly drafts: Record<string, ParamObject>;
  readonly visited: readonly string[];
  /** By step: the other steps whose answers its `onSubmit` read. */
  readonly reads: Readonly<Record<string, readonly string[]>>;
  readonly persisted: readonly {
    readonly key: string;
    readonly step: string;
    readonly model: string;
    readonly id: string;
  }[];
  readonly schema: FlowSchema;
  readonly version: number;
  readonly token: string | undefined;
  readonly returnTo: string | undefined;
  readonly outcome: RunOutcome | undefined;
  /** Messages for the next page: keys of en.json with their variables. */
  readonly notices: readonly Notice[];
}
export interface RunOutcome {
  /** Where the run led: a path that was checked, or undefined for the completed page. */
  readonly location: string | undefined;
  readonly message: string | undefined;
}
export interface Notice {
  readonly text: string;
  readonly vars?: Record<string, unknown>;
}

/** A public event in a run's history. */
export interface WizardEvent {
  readonly kind:
    | "launched"
    | "submitted"
    | "completed"
    | "failed"
    | "cancelled"
    | "expired"
    | "migrated"
    | "pruned"
    | "recovered";
  readonly run: RunInfo;
  readonly step: string | undefined;
}
