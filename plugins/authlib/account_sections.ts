import type { AuthlibBase } from "./base.ts";

/** The parts of the account's overview, in its order. */
const names = ["verification", "sign_in", "protection", "devices", "history"] as const;
export type SectionName = (typeof names)[number];

/** One line of the account's overview: what is so, and the page that changes it. */
export interface AccountLine {
  section: SectionName;
  /** What it is about: "password", "otp", … */
  name: string;
  label: string;
  text: string;
  /** Said after the text. */
  at?: Date;
  /** What needs to be looked at; or what is well. */
  level?: "warning" | "success";
  /** The level in words. */
  state?: string;
  /** Below `/<account_plural>/`. */
  page?: string;
  /** What its button says; "Change" unless told. */
  action?: string;
}
export interface AccountSection {
  name: SectionName;
  title: string;
  lines: (Omit<AccountLine, "page"> & { url?: string })[];
}

/** The lines by section; sections without any are left out. */
export function sectionsOf(authlib: AuthlibBase, lines: readonly AccountLine[]): AccountSection[] {
  const sections = names.map((name) => ({
    name,
    title: authlib.t(`account.${name}`),
    lines: lines
      .filter(({ section }) => section === name)
      .map(({ page, ...line }) => ({ ...line, ...(page === undefined ? {} : { url: authlib.type.path(page) }) })),
  }));
  return sections.filter((one) => one.lines.length > 0);
}
