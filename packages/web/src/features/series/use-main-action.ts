import type { BookDto, ReadingAhead, SeriesDetail } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { usePositionText } from '../../lists/item/position-text.ts'
import { paths } from '../../navigation/paths.ts'
import type { MainActionText } from '../../ui/detail/main-action.tsx'

/** Where one reads on in a series: in which volume, at which page. Undefined where there is nothing to read. */
export const useMainAction = (
  { unreadCount }: SeriesDetail,
  ahead: ReadingAhead | undefined,
): MainActionText | undefined => {
  const { t } = useTranslation('series')
  const placeIn = usePositionText()
  const next = ahead?.next
  if (!next) return undefined
  return { to: paths.read(next.id), label: t(`go.${wordFor(next, unreadCount === 0)}`), at: placeIn(next) }
}

const wordFor = ({ readProgress }: BookDto, isAllRead: boolean): 'read' | 'continue' | 'readAgain' => {
  if (readProgress && !readProgress.completed) return 'continue'
  return isAllRead ? 'readAgain' : 'read'
}
