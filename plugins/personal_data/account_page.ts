import { type Reply, streamReply } from "framewright/host";
import type { AuthHooks, AuthlibBase } from "framewright/plugins/authlib";
import type { PersonalDataService } from "./contract.ts";

const PAGE = "personal-data";
const VIEW = "personal_data";

/** `ann-2026-11-28.zip` without anything of a login that is no file name. */
export const exportName = (type: string, id: unknown): string =>
  `${type}-${String(id)}-${new Date().toISOString().slice(0, 10)}.zip`;

/** Adds the page on which people download their own data, and the line of the account that leads there. */
export function addAccountPage(
  hooks: { readonly lines: Pick<AuthHooks["lines"], "tap">; readonly routes: Pick<AuthHooks["routes"], "tap"> },
  service: PersonalDataService,
): void {
  hooks.lines.tap("personal_data", (lines, authlib) => {
    lines.push({
      section: "data",
      name: VIEW,
      label: authlib.t("personal_data.line"),
      text: authlib.t("personal_data.hint"),
      page: PAGE,
      action: authlib.t("personal_data.action"),
    });
  });
  hooks.routes.tap("personal_data", (routes) => {
    routes.push(
      {
        verb: "GET",
        path: PAGE,
        run: async (authlib) => authlib.page(VIEW, await localsOf(authlib)),
        who: "account",
        page: true,
      },
      { verb: "POST", path: PAGE, run: (authlib) => download(authlib, service), who: "account" },
    );
  });
}

/** Confirms who the person is, then sends the file. */
async function download(authlib: AuthlibBase, service: PersonalDataService): Promise<Reply> {
  const refused = await authlib.confirmIdentity(VIEW, await localsOf(authlib));
  if (refused) return refused;
  const { type, request } = authlib;
  const { id } = authlib.account!;
  const chunks = service.export(type.name, id, { address: request.address });
  return streamReply({ filename: exportName(type.name, id), type: "application/zip", chunks });
}

const localsOf = async (authlib: AuthlibBase) => ({
  asks_password: await authlib.asksForPassword(),
  csrf: authlib.csrf(PAGE),
  login: authlib.loginOf(authlib.account!),
});
