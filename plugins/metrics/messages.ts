/** A worker requests the metrics of all workers from its supervisor. */
export interface MetricsQuestion {
  readonly fw: "metrics";
  readonly id: number;
}
/** The supervisor's answer; without a text when a worker did not answer in time. */
export interface MetricsAnswer extends MetricsQuestion {
  readonly text?: string;
}

export const isQuestion = (message: unknown): message is MetricsQuestion =>
  typeof message === "object" &&
  message !== null &&
  "fw" in message &&
  message.fw === "metrics" &&
  "id" in message &&
  typeof message.id === "number";

export const isAnswer = (message: unknown): message is MetricsAnswer =>
  isQuestion(message) && (!("text" in message) || typeof message.text === "string");
