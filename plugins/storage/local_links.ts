import { BaseController, notFound, openSealer, type Reply, type RouteSet } from "framewright/host";
import type { Settings } from "framewright/kernel";
import type { Storage, StoredFile } from "./contract.ts";
import type { MakeLink } from "./files.ts";

const PATH = "_files";

/** Whoever has a link may download its file: the link is the proof. */
class LinkedFilesController extends BaseController {
  static readonly access: string = "link";
  static override readonly guests = "admit" as const;
}

/** Links to files in a directory, which the application serves: sealed, with their expiry in them. */
export class LocalLinks {
  readonly #settings: Settings;
  readonly #sealer;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#sealer = openSealer(settings.secrets, "framewright storage links");
  }

  /** An address of APP_URL; a path where that is not set. */
  readonly make: MakeLink = async (_disk, { key, filename, type }, seconds) => {
    const sealed = this.#sealer.seal(JSON.stringify([key, filename, type, Date.now() + seconds * 1000]));
    const { appUrl, basePath } = this.#settings;
    return `${appUrl?.origin ?? ""}${basePath}/${PATH}/${sealed}`;
  };

  draw(routes: RouteSet, storage: Pick<Storage, "download">): void {
    const downloadByLink = (controller: BaseController): Promise<Reply> =>
      storage.download(this.#open(controller.request.routeParams.token ?? ""));
    routes.get(`${PATH}/:token`, { controller: LinkedFilesController, action: downloadByLink });
  }

  /** @throws HttpError 404 for a link that is expired, or not ours */
  #open(token: string): StoredFile {
    const text = this.#sealer.open(token);
    if (text === undefined) throw notFound();
    const [key, filename, type, until] = JSON.parse(text) as [string, string, string, number];
    if (until < Date.now()) throw notFound();
    return { key, filename, type, size: 0 };
  }
}
