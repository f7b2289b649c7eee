import { errors } from "./errors.ts";

/** @throws FW_BULLMQ_PACKAGE */
export async function loadBullmq(): Promise<typeof import("bullmq")> {
  try {
    return await import("bullmq");
  } catch (cause) {
    throw Object.assign(errors.FW_BULLMQ_PACKAGE(), { cause });
  }
}
