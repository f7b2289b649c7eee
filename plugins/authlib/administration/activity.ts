import { csrfInput, html, localeOf, type Reply, type SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { PanelList, PanelPage, ResourcePlace } from "framewright/plugins/resources";
import { timeTag } from "framewright/plugins/views";
import type { AccountRecord, AccountType, AccountTypes } from "../account_type.ts";
import { knownAuthlib } from "../authlib_for_request.ts";
import type { AuthlibBase } from "../base.ts";
import type { ActiveSessionsSteps, ListedSession } from "../features/active_sessions/index.ts";
import type { AuditLoggingSteps } from "../features/audit_logging/index.ts";
import { typeByAction } from "./hidden_actions.ts";

/** The most lines of a panel, and of its JSON. */
const MAX_LINES = 20;
/** The predicate of the policy: `canShowSignIns()`. */
const POLICY = "show_sign_ins";
const END_SESSION = "end_session";

type Controller = PanelPage["controller"];
type Library = AuthlibBase & Partial<ActiveSessionsSteps & AuditLoggingSteps>;

/** The sign-ins and the sessions of an account: panels of its record's page, and JSON below its address. */
export class AccountActivity {
  readonly #types: AccountTypes;

  constructor(types: AccountTypes) {
    this.#types = types;
  }

  /** Adds the panels to the page of an account whose definition has `accountActions()`. */
  addPanels(panels: PanelList, { registration, controller, record }: PanelPage): void {
    const type = typeByAction(this.#types, registration, END_SESSION);
    if (!type) return;
    const library = libraryOf(type, controller, record as unknown as AccountRecord);
    const add = (key: string, content: () => Promise<SafeHtml | undefined>) =>
      panels.add(key, { title: library.t(`administration.${key}`), policy: POLICY, content });
    if (type.has("active_sessions")) add("sessions", async () => drawSessions(library, controller, record));
    if (type.has("audit_logging")) add("sign_ins", async () => drawSignIns(library));
  }
  /** Draws `GET <record>/_sessions` and `GET <record>/_sign_ins`, for programs. */
  draw({ about: { registration }, member, through, draw }: ResourcePlace): void {
    const type = through ? undefined : typeByAction(this.#types, registration, END_SESSION);
    if (type?.has("active_sessions"))
      draw("GET", `${member}/_sessions`, { action: answer(type, sessionsOf), policy: "canShowSignIns" });
    if (type?.has("audit_logging"))
      draw("GET", `${member}/_sign_ins`, { action: answer(type, signInsOf), policy: "canShowSignIns" });
  }
}

/** A library object for the account of a record. It is not that of the request, whose account is the administrator's. */
function libraryOf(type: AccountType, { request }: Controller, account: AccountRecord): Library {
  const library: Library = new type.class(request, type);
  library.account = account;
  const own = knownAuthlib(request, type.name);
  if (own?.account?.id === account.id) library.signIn = own.signIn;
  return library;
}

const sessionsOf = (library: Library): Promise<ListedSession[]> => library.listSessions!(MAX_LINES);
const signInsOf = async (library: Library) =>
  (await library.accountHistory!(MAX_LINES)).map((one) => ({ ...one, text: library.describeEvent!(one.event) }));

/** JSON for programs; browsers are led to the page of the record. @throws HttpError 403, 404 for people who may not see the record or its sign-ins */
function answer(type: AccountType, read: (library: Library) => Promise<readonly object[]>) {
  return async (controller: Controller): Promise<Reply> => {
    const record = await controller.findRecord();
    controller.record = record;
    await controller.authorizeAction("show", record);
    await controller.authorizeAction(POLICY, record);
    const library = libraryOf(type, controller, record as unknown as AccountRecord);
    if (controller.request.format !== "json") return controller.redirectTo(controller.urlFor(record));
    return controller.json({ data: await read(library) });
  };
}

async function drawSessions(library: Library, controller: Controller, record: BaseModel): Promise<SafeHtml> {
  const sessions = await sessionsOf(library);
  const { request } = library;
  const end = await endButton(library, controller, record);
  const time = (at: Date) => timeTag(at, request.timeZone, localeOf(request.locale));
  const lines = sessions.map((one) => {
    const since = html`${library.t("administration.session_since")} ${time(one.created_at)}`;
    const used = html`${library.t("sessions.used")} ${time(one.last_use)}`;
    return line(html`${one.device}${stateOf(library, one)}`, [one.address, since, used], !one.current && end(one));
  });
  return list(lines, library.t("administration.no_sessions"));
}

/** Draws the button that ends a session, where the person may end them. */
async function endButton(library: Library, controller: Controller, record: BaseModel) {
  const action = controller.registration.definition.actions.get(END_SESSION);
  const isAllowed = action !== undefined && (await isPermitted(controller, action.policy ?? END_SESSION, record));
  const url = `${controller.urlFor(record)}/actions/${END_SESSION}`;
  const label = library.t("sessions.end");
  return ({ id, device }: ListedSession): SafeHtml | false =>
    isAllowed &&
    html`<form method="post" action="${url}">${csrfInput(controller.request, url)}<input type="hidden" name="interaction[session]" value="${id}"><button class="btn" aria-label="${label}: ${device}">${label}</button></form>`;
}

async function isPermitted(controller: Controller, policy: string, record: BaseModel): Promise<boolean> {
  try {
    await controller.authorizeAction(policy, record);
    return true;
  } catch (error) {
    if ((error as { status?: number }).status === 403) return false;
    throw error;
  }
}

function stateOf(library: Library, { current, state, pending }: ListedSession): SafeHtml | false {
  if (current) return html` <span class="fw-status fw-status-success">${library.t("sessions.current")}</span>`;
  if (state === "active") return false;
  const isIncomplete = state === "incomplete";
  const text = library.t(`sessions.${isIncomplete ? `incomplete_${pending}` : state}`);
  return html` <span class="fw-status${isIncomplete && " fw-status-warning"}">${text}</span>`;
}

async function drawSignIns(library: Library): Promise<SafeHtml> {
  const events = await signInsOf(library);
  const { request } = library;
  const lines = events.map(({ text, address, at, actor = "" }) =>
    line(html`${text}`, [address, timeTag(at, request.timeZone, localeOf(request.locale)), actor]),
  );
  return list(lines, library.t("administration.no_sign_ins"));
}

function line(title: SafeHtml, facts: readonly (string | SafeHtml)[], button: SafeHtml | false = false): SafeHtml {
  const shown = facts.filter((fact) => fact !== "");
  const text = shown.map((fact, at) => (at === 0 ? html`${fact}` : html` · ${fact}`));
  return html`<li><div><strong>${title}</strong><p>${text}</p></div>${button}</li>`;
}

const list = (lines: readonly SafeHtml[], none: string): SafeHtml =>
  lines.length > 0 ? html`<ul class="fw-authlib-rows">${lines}</ul>` : html`<p class="fw-card-empty">${none}</p>`;
