import type { AnswerKinds, Schema } from "../contract.ts";

const text: Schema = { type: "string" };
/** RFC 9457. */
export const problemSchema: Schema = {
  type: "object",
  required: ["type", "title", "status", "code"],
  properties: {
    type: { ...text, examples: ["about:blank"] },
    title: { ...text, description: "In the language of the request.", examples: ["Unprocessable content"] },
    status: { type: "integer", examples: [422] },
    code: { type: "string", description: "Stable, to be matched on.", examples: ["FW_INVALID"] },
    detail: text,
    request: { ...text, description: "Of a failure of the server: the id by which its log names the request." },
    errors: {
      type: "object",
      description: "What is wrong, by field: `title`, `lines.0.amount`, `base` for the whole.",
      additionalProperties: { type: "array", items: text },
      examples: [{ title: ["can't be blank"] }],
    },
    meta: {
      type: "object",
      description: "`ignored`: which attributes were sent that are unknown here, or that the account may not write.",
      additionalProperties: true,
    },
  },
  additionalProperties: true,
};

interface ErrorAnswer {
  readonly status: string;
  readonly name: string;
  readonly description: string;
}
const always: readonly ErrorAnswer[] = [
  { status: "400", name: "BadRequest", description: "The request is malformed." },
  { status: "401", name: "NotSignedIn", description: "Nobody is signed in." },
  {
    status: "403",
    name: "Forbidden",
    description: "The account may not do this, or has to confirm its identity first.",
  },
  { status: "404", name: "NotFound", description: "There is nothing here that this account may see." },
];
const ofKind: Readonly<Record<keyof Omit<AnswerKinds, "record">, readonly ErrorAnswer[]>> = {
  conflict: [
    {
      status: "409",
      name: "Conflict",
      description: "Somebody else changed the record, others refer to it, or there is one already.",
    },
  ],
  body: [
    { status: "413", name: "TooLarge", description: "The body is larger than what is taken." },
    { status: "415", name: "UnsupportedMediaType", description: "The body is of a type that is not read." },
  ],
  invalid: [
    { status: "422", name: "Invalid", description: "What was sent can't be done; `errors` says why, by field." },
  ],
};
const last: readonly ErrorAnswer[] = [
  { status: "429", name: "TooManyRequests", description: "Too many attempts; `Retry-After` says when to try again." },
  { status: "default", name: "Failed", description: "Any other error." },
];

const all = [...always, ...Object.values(ofKind).flat(), ...last];

/** The shared responses of errors, by their names. */
export const errorResponses = (problem: Schema): Record<string, Schema> =>
  Object.fromEntries(
    all.map(({ name, description }) => [
      name,
      { description, content: { "application/problem+json": { schema: problem } } },
    ]),
  );

/** References to those that an operation may answer with. */
export function errorAnswers({ body, conflict, invalid }: AnswerKinds): Record<string, Schema> {
  const found = [
    ...always,
    ...(conflict ? ofKind.conflict : []),
    ...(body ? ofKind.body : []),
    ...(invalid || body ? ofKind.invalid : []),
    ...last,
  ];
  return Object.fromEntries(found.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]));
}
