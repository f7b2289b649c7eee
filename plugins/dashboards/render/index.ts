import type { SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { CardLink, ChartData } from "../cards/card.ts";
import type { CardRequest } from "../cards/load.ts";
import type { WaitingItem } from "../contract.ts";
import type { Measured } from "../counts/counts.ts";
import { chart } from "./chart.ts";
import { custom } from "./custom.ts";
import { links, waiting } from "./links.ts";
import { metric } from "./metric.ts";
import { list, table } from "./records.ts";

/** Draws the data of a card. */
export function renderData(request: CardRequest, data: unknown): SafeHtml {
  const { card } = request;
  switch (card.kind) {
    case "metric":
      return metric(request, card.options, data as number | Measured);
    case "chart":
      return chart(request, card.options, data as ChartData);
    case "list":
      return list(request, card.options, data as BaseModel[]);
    case "table":
      return table(request, card.options, data as BaseModel[]);
    case "links":
      return links(request, card.options, data as readonly CardLink[]);
    case "custom":
      return custom(request, card.options, data as Record<string, unknown>);
    case "waiting":
      return waiting(request, data as readonly WaitingItem[]);
  }
}
