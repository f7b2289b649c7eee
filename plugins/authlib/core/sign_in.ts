import { decodeDate } from "framewright/plugins/database";

const MINUTE = 60_000;
/** Milliseconds without a request after which a sign-in that still owes something ends. */
const PENDING_IDLE_MS = { second: 10 * MINUTE, setup: 60 * MINUTE, password: 60 * MINUTE };

/** What a sign-in still owes: a second factor, that one is set up, or a new password. */
export type Pending = "second" | "setup" | "password";

/** One sign-in, as it is stored: it ends for good when its row is deleted. */
export interface SignIn {
  readonly id: number;
  /** What was shown so far: "password", "otp", … */
  factors: string[];
  /** What is still asked for. */
  pending: Pending | undefined;
  readonly createdAt: Date;
  readonly lastUse: Date;
  /** When the person last confirmed, within this sign-in, who they are. */
  confirmedAt: Date | undefined;
  /** The device's key by which it comes back, where it is remembered. */
  rememberKeyId: number | undefined;
}

/** The row's text: the factors, and after a `?` what is pending. */
export const writeFactors = (factors: readonly string[], pending: SignIn["pending"]): string =>
  [...factors, ...(pending ? [`?${pending}`] : [])].join(",");

function readFactors(text: string): Pick<SignIn, "factors" | "pending"> {
  const at = text.indexOf("?");
  const shown = at < 0 ? text : text.slice(0, Math.max(0, at - 1)); // what stands before the comma
  const pending = at < 0 ? undefined : (text.slice(at + 1) as SignIn["pending"]);
  return { factors: shown === "" ? [] : shown.split(","), pending };
}

/** The sign-in of a row; `prefix` where its columns come beside those of another table. */
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

/** Whether a sign-in that owes something was left lying. */
export const isAbandoned = ({ pending, lastUse }: SignIn): boolean =>
  pending !== undefined && Date.now() - lastUse.getTime() > (PENDING_IDLE_MS[pending] ?? PENDING_IDLE_MS.second);
