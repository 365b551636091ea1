import { useTranslation } from 'react-i18next'
import { progressAt } from '../../../reader/ebook/book-map.ts'
import { percentText } from './percent.ts'
import type { EbookReading, OpenEbook } from './use-ebook-reading.ts'

/** It puts the position into words: how far into a text, or on which fixed pages. */
export const useWhere = (
  { map }: Pick<OpenEbook, 'map'>,
  { visiblePart, position, percentage }: EbookReading,
): string => {
  const { t } = useTranslation(['ebook', 'reader'])
  if (!map.fixed) return t('percent', { percent: percentText(percentage) })
  const shown = (visiblePart?.sections ?? []).map((index) => progressAt(map, index, 0).position)
  const [first = position, last = first] = [shown[0], shown.at(-1)]
  return first === last
    ? t('reader:pageOf', { page: first, count: map.total })
    : t('reader:pagesOf', { first, last, count: map.total })
}
