import { isDrain, type ReadyMessage } from "./messages.ts";

/** Whether a supervisor started this process. */
export const isWorker = (): boolean => process.env.FW_WORKER !== undefined && process.send !== undefined;

/** Reports to the supervisor that this process serves, and does what it requests: signals of a terminal go to the supervisor too, which passes them on. */
export function followSupervisor(url: string, drain: () => void): void {
  process.on("SIGINT", () => undefined);
  process.on("SIGHUP", () => undefined);
  process.on("message", (message: unknown) => {
    if (isDrain(message)) drain();
  });
  process.send?.({ fw: "ready", url } satisfies ReadyMessage);
}
