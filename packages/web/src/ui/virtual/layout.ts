/** Items lie as cards beside each other, or one row for each. */
export type ListLayout =
  | { readonly kind: 'grid'; readonly cardWidth: number; readonly textHeight: number }
  /** Cards of one height, whatever their width. */
  | { readonly kind: 'mosaic'; readonly cardWidth: number; readonly cardHeight: number }
  | { readonly kind: 'table'; readonly rowHeight: number }

export interface Measures {
  readonly columns: number
  readonly rowHeight: number
  readonly cardWidth: number
}

const gridGap = 16
const rowGap = 20
/** Height of a cover by its width; `--cover-ratio` says the same. */
const coverHeight = 1.5

export const measure = (layout: ListLayout, width: number): Measures => {
  if (layout.kind === 'table') return { columns: 1, rowHeight: layout.rowHeight, cardWidth: width }
  const columns = Math.max(1, Math.floor((width + gridGap) / (layout.cardWidth + gridGap)))
  const cardWidth = (width - gridGap * (columns - 1)) / columns
  if (layout.kind === 'mosaic') return { columns, cardWidth, rowHeight: layout.cardHeight + gridGap }
  return { columns, cardWidth, rowHeight: Math.round(cardWidth * coverHeight + layout.textHeight + rowGap) }
}
