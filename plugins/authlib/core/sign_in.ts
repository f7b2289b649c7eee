import { decodeDate } from "framewright/plugins/database";

const MINUTE_MS = 60_000;
/** Milliseconds without a request after which a sign-in with something pending ends. */
const PENDING_IDLE_MS = { second: 10 * MINUTE_MS, setup: 60 * MINUTE_MS, password: 60 * MINUTE_MS };

/** What is pending in a sign-in: the second factor, the setup of one, or a new password. */
export type Pending = "second" | "setup" | "password";

/** A stored sign-in. Deleting its row ends it. */
export interface SignIn {
  readonly id: number;
  /** The factors used so far: "password", "otp", … */
  factors: string[];
  /** What is still required. */
  pending: Pending | undefined;
  readonly createdAt: Date;
  readonly lastUse: Date;
  /** When the person last confirmed their identity in this sign-in. */
  confirmedAt: Date | undefined;
  /** The id of the device's key, where it is remembered. */
  rememberKeyId: number | undefined;
}

/** The column `factors`: the factors, then `?` and what is pending. */
export const writeFactors = (factors: readonly string[], pending: SignIn["pending"]): string =>
  [...factors, ...(pending ? [`?${pending}`] : [])].join(",");

function readFactors(text: string): Pick<SignIn, "factors" | "pending"> {
  const at = text.indexOf("?");
  const shown = at < 0 ? text : text.slice(0, Math.max(0, at - 1)); // without the comma
  const pending = at < 0 ? undefined : (text.slice(at + 1) as SignIn["pending"]);
  return { factors: shown === "" ? [] : shown.split(","), pending };
}

/** The sign-in of a row. `prefix`: of its columns in a join. */
export function readSignIn(row: Record<string, unknown>, prefix = ""): SignIn {
  const { [`${prefix}confirmed_at`]: confirmed, [`${prefix}remember_key_id`]: remembered } = row;
  return {
    id: Number(row[`${prefix}id`]),
    ...readFactors(String(row[`${prefix}factors`])),
    createdAt: decodeDate(row[`${prefix}created_at`]) as Date,
    lastUse: decodeDate(row[`${prefix}last_use`]) as Date,
    confirmedAt: confirmed == null ? undefined : (decodeDate(confirmed) as Date),
    rememberKeyId: remembered == null ? undefined : Number(remembered),
  };
}

export const startSignIn = (id: number, factors: readonly string[], pending?: Pending, now = new Date()): SignIn => ({
  id,
  factors: [...factors],
  pending,
  createdAt: now,
  lastUse: now,
  confirmedAt: undefined,
  rememberKeyId: undefined,
});

/** Whether a sign-in with something pending was abandoned. */
export const isAbandoned = ({ pending, lastUse }: SignIn): boolean =>
  pending !== undefined && Date.now() - lastUse.getTime() > (PENDING_IDLE_MS[pending] ?? PENDING_IDLE_MS.second);
