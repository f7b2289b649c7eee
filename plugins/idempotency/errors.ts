import { HttpError } from "framewright/host";
import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_IDEMPOTENCY_TABLE: () =>
    `the table "framewright_idempotency" does not exist, and plugins.config.ts has idempotency(). Run: fw generate fw:install idempotency, then fw db:migrate`,
});

/** 400: the header is not a key. */
export const keyRefused = (): HttpError =>
  new HttpError(400, "FW_IDEMPOTENCY_KEY", "Idempotency-Key takes 1 to 255 printable characters of ASCII, once.");
/** 422: the key came with something else before. */
export const keyReused = (): HttpError =>
  new HttpError(422, "FW_IDEMPOTENCY_REUSED", "this Idempotency-Key came with another body before. Send a new key.");
/** 409: the first request is not answered yet. */
export const stillRunning = (): HttpError =>
  new HttpError(409, "FW_IDEMPOTENCY_RUNNING", "a request with this Idempotency-Key is running. Send it again later.", {
    headers: { "retry-after": "1" },
  });
/** 409: it was done, and nobody knows the answer any more. */
export const answerLost = (): HttpError =>
  new HttpError(
    409,
    "FW_IDEMPOTENCY_LOST",
    "the request with this Idempotency-Key was carried out, and its answer can't be sent again. Read what it was about.",
  );
