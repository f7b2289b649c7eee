/** What was recorded of a request that ended. Texts are shortened, and secrets are not in them. */
export interface RecordedRequest {
  /** Counts from 1 since the application started. */
  readonly id: number;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly status: number;
  readonly milliseconds: number;
  readonly type: string;
  readonly target: RecordedTarget;
  readonly error: RecordedError | undefined;
  readonly hooks: readonly RecordedHook[];
  readonly statements: readonly RecordedStatement[];
  readonly decisions: readonly RecordedDecision[];
  readonly templates: readonly RecordedTemplate[];
  readonly log: readonly RecordedLine[];
  /** How many more there were of each than are stored. */
  readonly dropped: Readonly<Record<Section, number>>;
}
/** The lists of a request. */
export type Section = "hooks" | "statements" | "decisions" | "templates" | "log";

/** Where a request led, and for whom. */
export interface RecordedTarget {
  /** `GET /admin/blogging/posts/:id`; undefined where no route was found. */
  readonly route: string | undefined;
  /** `AdminPortal::Blogging::PostsController#show` */
  readonly action: string | undefined;
  readonly file: string | undefined;
  readonly portal: string | undefined;
  /** The account's type and id, as in `user 5`. */
  readonly person: string | undefined;
  /** The tenant's class and id, as in `Organization 3`. */
  readonly tenant: string | undefined;
}
/** What a request failed with. */
export interface RecordedError {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string;
  /** Where it was thrown, and what caused it. */
  readonly stack: string;
  readonly fields: readonly string[];
}
export interface RecordedHook {
  readonly hook: string;
  readonly plugin: string;
  calls: number;
  /** With what the tap awaited. */
  milliseconds: number;
}
export interface RecordedStatement {
  readonly sql: string;
  readonly values: readonly string[];
  /** The first line of the application's own code that led to it, as in `app/models/post.ts:12`. */
  readonly caller: string | undefined;
  /** Undefined where its end was not reported, as of BEGIN. */
  milliseconds: number | undefined;
  /** Read, or changed. */
  rows: number | undefined;
  failure: string | undefined;
}
/** A call of a policy and its result; equal ones are counted together. */
export interface RecordedDecision {
  readonly kind: "allowed" | "refused" | "names" | "scope";
  /** The policy or model that it was about. */
  readonly about: string;
  /** `canEdit()`, `permittedAttributesForIndex()`. */
  readonly asked: string;
  readonly id: string | undefined;
  readonly why: string;
  /** Of the predicate that answered, where the application declares it. */
  readonly file?: string | undefined;
  calls: number;
}
export interface RecordedTemplate {
  readonly file: string;
  readonly rank: string;
  readonly milliseconds: number;
  readonly partials: readonly { readonly file: string; readonly rank: string }[];
}
export interface RecordedLine {
  readonly level: string;
  readonly text: string;
}
