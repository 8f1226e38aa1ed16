import { Button } from "~/components/button";
import type { StoreCard } from "~/domain/store/store";
import { useTranslation } from "~/i18n/translation";
import { Price, ProductImage, StockMark } from "./product-parts";

/** Image, title, price and stock of a product that can be chosen. */
export function ProductSummary({ card }: { readonly card: StoreCard }) {
  return (
    <>
      <ProductImage card={card} />
      <span className="grid min-w-0 flex-1 text-sm">
        <span className="wrap-anywhere">{card.title}</span>
        <span className="flex flex-wrap gap-x-3 text-xs">
          <Price card={card} />
          <StockMark state={card.state} soldOut={[]} />
        </span>
      </span>
    </>
  );
}

/** Product that can be chosen, with its button. */
export function ProductChoiceRow({
  card,
  isChosen,
  isSingle,
  isFull,
}: {
  readonly card: StoreCard;
  readonly isChosen: boolean;
  /** Whether only one product can be chosen. */
  readonly isSingle: boolean;
  /** Whether no further product can be chosen. */
  readonly isFull: boolean;
}) {
  const { t } = useTranslation();
  const { title } = card;
  return (
    <>
      <ProductSummary card={card} />
      {/* The button stays mounted, so that it keeps the focus after its action. */}
      <Button
        type={isChosen ? "button" : "submit"}
        variant={isChosen ? "quiet" : "secondary"}
        icon={buttonIcon(isChosen, isSingle)}
        disabled={isFull && !isChosen}
        aria-disabled={isChosen || undefined}
        aria-label={t(buttonLabel(isChosen, isSingle), { title })}
        className={isChosen ? "font-normal text-success hover:bg-transparent" : undefined}
      >
        {t(buttonText(isChosen, isSingle))}
      </Button>
    </>
  );
}

const buttonIcon = (isChosen: boolean, isSingle: boolean) => {
  if (isChosen) return "check";
  return isSingle ? undefined : "plus";
};
const buttonText = (isChosen: boolean, isSingle: boolean) => {
  if (isChosen) return isSingle ? "store:pick.chosen" : "store:pick.added";
  return isSingle ? "store:pick.choose" : "store:pick.add";
};
const buttonLabel = (isChosen: boolean, isSingle: boolean) => {
  if (isChosen) return isSingle ? "store:pick.chosenThis" : "store:pick.addedThis";
  return isSingle ? "store:pick.chooseThis" : "store:pick.addThis";
};
