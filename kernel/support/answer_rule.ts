/** What a tap of a bail hook may return: `expected` completes "expected …" when it does not. */
export interface AnswerRule {
  expected: string;
  /** Whether null is an answer too. */
  orNull?: true;
  check(answer: unknown): boolean;
}

/** What taps of the kernel's own bail hooks may return. */
export const kernelAnswers: Readonly<Record<string, AnswerRule>> = {
  resolveController: { expected: "a controller class", check: (answer) => typeof answer === "function" },
  layout: { expected: "a layout's name", check: (answer) => typeof answer === "string" },
  authenticate: { expected: "an account that names somebody, null for a guest", orNull: true, check: isAccount },
  error: { expected: "a response", check: (answer) => typeof answer === "object" },
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || Number.isNaN(value);

/** Whether an object is somebody: a list, an error, one without values or without a value in its `id` is nobody. */
function isAccount(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer) || answer instanceof Error) return false;
  if ("id" in answer && isEmpty(answer.id)) return false;
  const prototype = Object.getPrototypeOf(answer);
  const isPlain = prototype === Object.prototype || prototype === null;
  return !isPlain || !Object.values(answer).every(isEmpty);
}
