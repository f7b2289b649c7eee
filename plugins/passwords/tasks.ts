/** The task of a worker. Only `argon2id` creates hashes; the others verify those of other systems. */
export type HashTask = Argon2Task | BcryptTask | Pbkdf2Task | ScryptTask;

interface Input {
  password: string | Uint8Array;
  salt: Uint8Array;
}
/** With hash-wasm's option names. */
export interface Argon2Task extends Input {
  algorithm: "argon2id";
  memorySize: number;
  iterations: number;
  parallelism: number;
  hashLength: number;
}
/** The digest has 23 bytes; `password` at most 72. */
export interface BcryptTask extends Input {
  algorithm: "bcrypt";
  costFactor: number;
}
export interface Pbkdf2Task extends Input {
  algorithm: "pbkdf2";
  digest: "sha1" | "sha256" | "sha512";
  iterations: number;
  hashLength: number;
}
export interface ScryptTask extends Input {
  algorithm: "scrypt";
  costFactor: number;
  blockSize: number;
  parallelism: number;
  hashLength: number;
}

/** Whether a task is within the limits that a stored hash may cost a worker. */
export function isAffordable(task: HashTask): boolean {
  const amounts = Object.values(task).filter((value) => typeof value === "number");
  if (!amounts.every((amount) => Number.isSafeInteger(amount))) return false;
  switch (task.algorithm) {
    case "argon2id": {
      const { memorySize, iterations, parallelism } = task;
      const isSane = iterations >= 1 && parallelism >= 1 && memorySize >= 8 * parallelism;
      return isSane && memorySize <= 1_048_576 && iterations <= 100 && parallelism <= 64;
    }
    case "bcrypt":
      return task.costFactor >= 4 && task.costFactor <= 16;
    case "pbkdf2":
      return task.iterations >= 1 && task.iterations <= 10_000_000;
    case "scrypt": {
      const { costFactor, blockSize, parallelism } = task;
      const isPower = costFactor > 1 && Number.isInteger(Math.log2(costFactor));
      return (
        isPower &&
        blockSize >= 1 &&
        parallelism >= 1 &&
        parallelism <= 16 &&
        128 * costFactor * blockSize <= 268_435_456
      );
    }
  }
}
