import type { Lang, Uuid } from "~/domain/shared/model";
import { formatMinutesAgo } from "~/i18n/format";
import type { Scene } from "../../visitors/scene/scene-types";
import { AGE_SHOWN_MS, elapsedSince, STEP_MS } from "../shared/use-elapsed";
import type { LiveProducts } from "./visit-context";

/** A marker whose label may contain a price. */
interface Pin {
  readonly id: Uuid;
  readonly label: string;
}

/** Markers, the store's data about the products of their tags, and the language of the labels. */
export interface PricedPinsInput<P extends Pin> {
  readonly pins: readonly P[];
  readonly tags: Scene["tags"];
  readonly live: LiveProducts;
  readonly language: Lang;
}

const MINUTE_MS = 60_000;

/**
 * Gives markers labels with the price of their tag's product, with its stock, and with its age when that is more than a minute.
 * @param show receives the markers now, and again when an age has changed
 * @returns a function that stops the updates
 */
export function followPrices<P extends Pin>(
  { pins, tags, live, language }: PricedPinsInput<P>,
  show: (pins: readonly P[]) => void,
): () => void {
  let shownMinute = -1;
  const look = () => {
    const elapsed = live.read ? elapsedSince(live.read) : 0;
    const minute = Math.floor(elapsed / MINUTE_MS);
    if (minute === shownMinute) return;
    shownMinute = minute;
    const ageOf = (saidAt: number) =>
      (live.read ? Math.max(live.read.at - saidAt, 0) : 0) + minute * MINUTE_MS;
    const labels = new Map(
      tags.flatMap(({ id, product }) => {
        const known = product && live.products?.[product.id];
        if (!known) return [];
        const age = ageOf(known.saidAt);
        const parts = [
          known.price,
          ...(known.isInStock ? [] : [known.state]),
          ...(age > AGE_SHOWN_MS || minute > 0
            ? [formatMinutesAgo(Math.max(1, Math.floor(age / MINUTE_MS)), language)]
            : []),
        ];
        return [[id, parts.join(" · ")] as const];
      }),
    );
    show(
      pins.map((pin) => {
        const label = labels.get(pin.id);
        return label ? { ...pin, label: `${pin.label} · ${label}` } : pin;
      }),
    );
  };
  look();
  const timer = setInterval(look, STEP_MS);
  return () => clearInterval(timer);
}
