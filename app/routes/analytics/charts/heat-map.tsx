import { cx } from "~/components/cx";
import { formatDuration, formatNumber } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import type { ReportData } from "../read-report.server";
import { DataTable } from "./data-table";
import { Disclosure } from "./disclosure";

/** Plans are images, mostly on white, so their overlays keep the dark colour in dark mode. */
const COLOR_ON_IMAGE = "#2a4a94";
/** Largest radius of a panorama's marker, as a share of the map's width. */
const NODE_RADIUS_MAX = 0.045;
/** Largest radius of a tag's marker, as a share of the map's width. */
const PIN_RADIUS_MAX = 0.018;
/** Number of visible rows; further ones are in a disclosure. */
const VISIBLE_ROWS = 3;

/** Message if there were visitors whose positions are unknown. */
function UnknownPositions({ report: { unlocatedSeconds, sourceKind } }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  if (unlocatedSeconds === 0) return null;
  return (
    <section aria-labelledby="heat-title" className="grid gap-1">
      <h2 id="heat-title" className="text-base font-semibold">
        {t("analytics:places")}
      </h2>
      <p className="text-sm text-muted text-phrase">
        {t(sourceKind === "showcase" ? "analytics:placesNone.showcase" : "analytics:placesNone.other")}
      </p>
    </section>
  );
}

/** Map of the visitors' positions, with a table of the longest stays. */
export function HeatMap({ report }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  const { heat } = report;
  if (!heat) return <UnknownPositions report={report} />;
  const rankedSpots = heat.spots.filter(({ rank }) => rank !== null);
  const nameOf = ({ name, nearestLandmark, spacePosition: [x, z] }: (typeof heat.spots)[number]) =>
    name ??
    t(nearestLandmark === null ? "analytics:cell" : "analytics:near", {
      x: String(x),
      z: String(z),
      name: nearestLandmark ?? "",
    });
  const rows = [
    ...rankedSpots.map((spot) => ({
      key: String(spot.rank),
      cells: [`${spot.rank}. ${nameOf(spot)}`, formatDuration(spot.seconds)],
    })),
    ...(heat.unmappedSeconds > 0
      ? [{ key: "elsewhere", cells: [t("analytics:elsewhere"), formatDuration(heat.unmappedSeconds)] }]
      : []),
  ];
  const renderTable = (visibleRows: typeof rows) => (
    <DataTable
      caption={t("analytics:places")}
      columns={[
        { key: "place", header: t("analytics:place") },
        { key: "time", header: t("analytics:time") },
      ]}
      rows={visibleRows}
    />
  );
  return (
    <section aria-labelledby="heat-title" className="grid break-inside-avoid gap-3">
      <div className="grid gap-1">
        <h2 id="heat-title" className="text-base font-semibold">
          {t("analytics:places")}
        </h2>
        <p className="text-sm text-muted text-phrase">
          {t("analytics:placesText")}
          {heat.pins.length > 0 && `${t("shared:space")}${t("analytics:pinsText")}`}
        </p>
      </div>
      <div className="grid items-start gap-8 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] print:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div
          role="img"
          aria-label={t("analytics:heat", { count: heat.spots.length })}
          style={{ aspectRatio: heat.width / heat.height }}
          className="relative w-full max-w-xl overflow-hidden rounded border border-line bg-surface"
        >
          {heat.image && (
            <img
              src={heat.image}
              alt=""
              decoding="async"
              className="absolute inset-0 size-full object-fill"
            />
          )}
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${heat.width} ${heat.height}`}
            className="absolute inset-0 size-full"
            fill={heat.image ? COLOR_ON_IMAGE : "var(--accent)"}
          >
            {heat.spots.map((spot) =>
              spot.corners ? (
                <polygon key={spot.corners} points={spot.corners} fillOpacity={0.12 + 0.76 * spot.strength}>
                  <title>{`${nameOf(spot)} ${formatDuration(spot.seconds)}`}</title>
                </polygon>
              ) : (
                <circle
                  key={`${spot.x} ${spot.y}`}
                  cx={spot.x}
                  cy={spot.y}
                  r={heat.width * NODE_RADIUS_MAX * (0.4 + 0.6 * spot.strength)}
                  fillOpacity={0.3 + 0.6 * spot.strength}
                >
                  <title>{`${nameOf(spot)} ${formatDuration(spot.seconds)}`}</title>
                </circle>
              ),
            )}
            {heat.pins.map(({ id, x, y, name, count, strength }) => (
              <circle
                key={id}
                cx={x}
                cy={y}
                r={heat.width * PIN_RADIUS_MAX * (0.4 + 0.6 * strength)}
                className="fill-warning stroke-paper"
                strokeWidth={heat.width * 0.004}
              >
                <title>{`${name} ${formatNumber(count)}`}</title>
              </circle>
            ))}
          </svg>
          {rankedSpots.map((spot) => (
            <span
              key={spot.rank}
              style={{
                left: `${(spot.x / heat.width) * 100}%`,
                top: `${(spot.y / heat.height) * 100}%`,
              }}
              className={cx(
                "drawn absolute grid size-5 -translate-1/2 place-items-center rounded-full bg-ink text-xs leading-none text-paper tabular-nums",
                // On narrow screens more than three numbers would hide the positions.
                Number(spot.rank) > 3 && "max-sm:hidden",
              )}
            >
              {spot.rank}
            </span>
          ))}
        </div>
        <div className="grid gap-3">
          {renderTable(rows.slice(0, VISIBLE_ROWS))}
          {rows.length > VISIBLE_ROWS && (
            <Disclosure label={t("analytics:rest", { count: rows.length - VISIBLE_ROWS })}>
              {renderTable(rows.slice(VISIBLE_ROWS))}
            </Disclosure>
          )}
          {rankedSpots.some(({ corners }) => corners) && (
            <p className="text-xs text-muted text-phrase">{t("analytics:cellHint")}</p>
          )}
        </div>
      </div>
    </section>
  );
}
