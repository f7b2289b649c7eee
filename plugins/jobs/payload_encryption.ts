import { openSealer } from "framewright/host";
import { errors } from "./errors.ts";

/** Encrypts payloads, each bound to its kind of job. */
export function openPayloadSealer(secrets: readonly string[]) {
  const texts = openSealer(secrets, "jobs");
  return {
    seal: (kind: string, payload: object): string => texts.seal(JSON.stringify(payload), kind),
    /** @throws FW_JOB_SEALED */
    open(kind: string, sealed: string): object {
      const text = texts.open(sealed, kind);
      if (text === undefined) throw errors.FW_JOB_SEALED();
      return JSON.parse(text) as object;
    },
  };
}
/** As openPayloadSealer returns it. */
export type PayloadSealer = ReturnType<typeof openPayloadSealer>;
