/** What a tap of a bail hook may return: `expected` completes "expected …" when it does not. */
export interface AnswerRule {
  expected: string;
  /** Whether null is an answer too. */
  orNull?: true;
  check(answer: unknown): boolean;
}
