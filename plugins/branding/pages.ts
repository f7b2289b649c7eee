import {
  type Application,
  type BaseController,
  csrfInput,
  forbidden,
  isUploadedFile,
  notFound,
  Reply,
  type UploadedFile,
  uploadContent,
  uploadSize,
} from "framewright/host";
import { portalController, tenantKey } from "framewright/plugins/portals";
import { readable, styleSheet } from "./colours.ts";
import { pictureType } from "./images.ts";
import { type Brand, type BrandStore, hashOf, type Logo } from "./store.ts";

const PATH = "/_branding";
const MAX_NAME = 60;
const MAX_LOGO = 100_000;
/** What the colour of the form begins with where there is none: that of the framework. */
const STANDARD = "#3451c6";
const COLOUR = /^#[0-9a-f]{6}$/;

/** What a page of a tenant shows of it. */
export interface ShownBrand {
  readonly name: string | null;
  readonly logo_url: string | undefined;
  readonly styles_url: string | undefined;
}
/** Fields of the form by what is wrong with them. */
type Problems = Partial<Record<"name" | "accent" | "logo", string>>;

/** Whether the person of a request may change how its tenant looks. */
export type MayBrand = (controller: BaseController) => boolean;

/** The page of a tenant's look, its style sheet and its logo, in portals that are scoped to tenants. */
export class BrandPages {
  readonly #store: BrandStore;
  readonly #may: MayBrand;
  readonly #portals = new Set<string>();

  constructor(store: BrandStore, may: MayBrand) {
    this.#store = store;
    this.#may = may;
  }

  /** Draws them in a portal. */
  draw(host: Application, portal: string): void {
    const controller = portalController(host, portal, "branding");
    if (!controller) return;
    const set = host.routeSetOf(portal);
    const form = { controller, policy: "(managers of the tenant)" };
    set.draw("GET", PATH, { ...form, action: (one: BaseController) => this.#show(one) });
    set.draw("POST", PATH, { ...form, action: (one: BaseController) => this.#change(one) });
    const open = { controller, policy: "(who is in the tenant)" };
    set.draw("GET", `${PATH}/styles/:hash`, { ...open, action: (one: BaseController) => this.#styles(one) });
    set.draw("GET", `${PATH}/logo/:hash`, { ...open, action: (one: BaseController) => this.#logo(one) });
    this.#portals.add(portal);
  }

  /** The address of the page, for those who may open it. */
  urlFor(controller: BaseController): string | undefined {
    const { engine, mountPath } = controller.request;
    const isOffered =
      engine !== undefined && this.#portals.has(engine.name) && controller.currentScopedEntity !== undefined;
    return isOffered && this.#may(controller) === true ? mountPath + PATH : undefined;
  }

  /** What the pages of a request's tenant show; undefined where it has nothing of its own. */
  async shownBy({ request, currentScopedEntity }: BaseController): Promise<ShownBrand | undefined> {
    const tenant = tenantKey(currentScopedEntity);
    const brand = tenant === null ? undefined : await this.#store.find(tenant);
    if (!brand) return undefined;
    const base = request.mountPath + PATH;
    return {
      name: brand.name,
      logo_url: brand.logo_hash === null ? undefined : `${base}/logo/${brand.logo_hash}`,
      styles_url: brand.accent === null ? undefined : `${base}/styles/${hashOf(styleSheet(brand.accent))}`,
    };
  }

  /** @throws HttpError 404 outside of a tenant, 403 for those who may not */
  #tenantOf(controller: BaseController): string {
    const tenant = tenantKey(controller.currentScopedEntity);
    if (tenant === null) throw notFound();
    if (this.#may(controller) !== true) throw forbidden(); // a promise is no permission
    return tenant;
  }

  async #show(controller: BaseController): Promise<Reply> {
    const brand = await this.#store.read(this.#tenantOf(controller));
    return this.#render(controller, brand, { name: brand?.name ?? "", accent: brand?.accent ?? "" }, {});
  }

  async #change(controller: BaseController): Promise<Reply> {
    const tenant = this.#tenantOf(controller);
    const { body } = controller.request;
    if (body.get("reset") === "1") {
      await this.#store.remove(tenant);
      return this.#saved(controller, "branding.was_reset");
    }
    const typed = { name: textOf(body.get("name")), accent: chosenColour(controller) };
    const problems: Problems = {};
    const t = (key: string, vars?: Record<string, unknown>) => controller.t(`branding.${key}`, vars);
    if (typed.name.length > MAX_NAME || /[<>\p{Cc}]/u.test(typed.name))
      problems.name = t("name_wrong", { count: MAX_NAME });
    if (typed.accent !== "" && !COLOUR.test(typed.accent)) problems.accent = t("accent_wrong");
    else if (typed.accent !== "" && readable(typed.accent) !== typed.accent)
      problems.accent = t("accent_pale", { nearest: readable(typed.accent) });
    const logo = await logoOf(controller);
    if (logo === "wrong") problems.logo = t("logo_wrong", { kilobytes: MAX_LOGO / 1000 });
    if (Object.keys(problems).length > 0)
      return this.#render(controller, await this.#store.read(tenant), typed, problems);
    const change = { name: typed.name || null, accent: typed.accent || null };
    await this.#store.save(tenant, { ...change, logo: logo as Logo | null | undefined });
    return this.#saved(controller, "branding.was_saved");
  }

  #saved(controller: BaseController, text: string): Reply {
    controller.flash.add("success", controller.t(text));
    return controller.redirectTo(controller.request.mountPath + PATH);
  }

  #render(
    controller: BaseController,
    brand: Brand | undefined,
    typed: { readonly name: string; readonly accent: string },
    problems: Problems,
  ): Reply {
    const { request } = controller;
    const url = request.mountPath + PATH;
    const title = controller.t("branding.title");
    const picked = COLOUR.test(typed.accent) ? typed.accent : STANDARD;
    return controller.render("branding/form", {
      status: Object.keys(problems).length > 0 ? 422 : 200,
      locals: {
        title,
        breadcrumbs: [{ label: title }],
        form: { url, csrf: csrfInput(request, url, "post"), typed, picked, problems },
        logo_url: brand?.logo_hash ? `${url}/logo/${brand.logo_hash}` : undefined,
        is_own: brand !== undefined,
      },
    });
  }

  async #styles(controller: BaseController): Promise<Reply> {
    const tenant = tenantKey(controller.currentScopedEntity);
    const { hash } = controller.request.routeParams;
    const sheetOf = (brand: Brand | undefined) => (brand?.accent ? styleSheet(brand.accent) : undefined);
    let sheet = tenant === null ? undefined : sheetOf(await this.#store.find(tenant));
    if (tenant !== null && (sheet === undefined || hashOf(sheet) !== hash))
      sheet = sheetOf(await this.#store.read(tenant));
    if (sheet === undefined) throw notFound();
    return sent(sheet, "text/css; charset=utf-8", hashOf(sheet) === hash);
  }

  async #logo(controller: BaseController): Promise<Reply> {
    const tenant = tenantKey(controller.currentScopedEntity);
    const logo = tenant === null ? undefined : await this.#store.logo(tenant);
    if (!logo) throw notFound();
    return sent(logo.bytes, logo.type, hashOf(logo.bytes) === controller.request.routeParams.hash);
  }
}

/** To one person's browser alone: a person in another tenant must not get it from a cache in between. */
const sent = (body: string | Buffer, type: string, isCurrent: boolean): Reply =>
  new Reply(200, body, {
    "content-type": type,
    "x-content-type-options": "nosniff",
    "content-disposition": "inline",
    "cache-control": isCurrent ? "private, max-age=31536000, immutable" : "private, no-cache",
  });

const textOf = (given: unknown): string => (typeof given === "string" ? given.trim() : "");

/** The value of the picker where it was moved, else the text beside it: without a script both are sent. */
function chosenColour({ request: { body } }: BaseController): string {
  const [picked, was] = [textOf(body.get("picked")), textOf(body.get("picked_was"))];
  return (picked !== was ? picked : textOf(body.get("accent"))).toLowerCase();
}

/** The logo of the form: undefined leaves the one that is there, null removes it. */
async function logoOf({ request: { body } }: BaseController): Promise<Logo | "wrong" | null | undefined> {
  const given = body.get("logo");
  if (!isUploadedFile(given)) return body.get("remove_logo") === "1" ? null : undefined;
  if (uploadSize(given) > MAX_LOGO) return "wrong";
  const bytes = await bytesOf(given);
  const type = pictureType(bytes);
  return type === undefined ? "wrong" : { type, bytes };
}

async function bytesOf(file: UploadedFile): Promise<Buffer> {
  const content = uploadContent(file);
  return "bytes" in content ? content.bytes : Buffer.concat(await content.stream.toArray());
}
