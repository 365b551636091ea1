import { useTranslation } from 'react-i18next'
import { placeIn } from '../../../reader/ebook/book-map.ts'
import { percentText } from './percent.ts'
import type { EbookPlace, OpenEbook } from './use-ebook-place.ts'

/** It puts the position into words: how far into a text, or on which fixed pages. */
export const useWhere = ({ map }: Pick<OpenEbook, 'map'>, { sight, position, percentage }: EbookPlace): string => {
  const { t } = useTranslation(['ebook', 'reader'])
  if (!map.fixed) return t('percent', { percent: percentText(percentage) })
  const shown = (sight?.sections ?? []).map((index) => placeIn(map, index, 0).position)
  const [first = position, last = first] = [shown[0], shown.at(-1)]
  return first === last
    ? t('reader:pageOf', { page: first, count: map.total })
    : t('reader:pagesOf', { first, last, count: map.total })
}
