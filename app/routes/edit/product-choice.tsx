import { Button } from "~/components/button";
import { Icon } from "~/components/icon";
import type { StoreCard } from "~/domain/store";
import { useTranslation } from "~/i18n/use-translation";
import { Price, ProductPicture, StockMark } from "./product-parts";

/** One product that can be chosen, with the button that does. */
export function Choice({
  card,
  isChosen,
  isOne,
  isFull,
}: {
  readonly card: StoreCard;
  readonly isChosen: boolean;
  /** It takes the place of another one. */
  readonly isOne: boolean;
  readonly isFull: boolean;
}) {
  const { t } = useTranslation();
  const { title } = card;
  return (
    <>
      <ProductPicture card={card} />
      <span className="grid min-w-0 flex-1 text-sm">
        <span className="[overflow-wrap:anywhere]">{title}</span>
        <span className="flex flex-wrap gap-x-3 text-xs">
          <Price card={card} />
          <StockMark state={card.state} soldOut={[]} />
        </span>
      </span>
      {isChosen ? (
        <span className="inline-flex min-h-10 items-center gap-1 text-sm text-success">
          <Icon name="check" size={16} />
          {t(isOne ? "storeEditor.pick.chosen" : "storeEditor.pick.added")}
        </span>
      ) : (
        <Button
          type="submit"
          icon={isOne ? "check" : "plus"}
          disabled={isFull}
          aria-label={t(isOne ? "storeEditor.pick.chooseThis" : "storeEditor.pick.addThis", { title })}
        >
          {t(isOne ? "storeEditor.pick.choose" : "storeEditor.pick.add")}
        </Button>
      )}
    </>
  );
}
