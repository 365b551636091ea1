import type { BookDto, ReadingAhead, SeriesDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { useBookTitle } from '../../text/book-name.tsx'
import { useDurationText } from '../../text/duration-text.ts'
import { toned } from '../../ui/cover/toned.ts'
import { Fan, type FanCover } from '../../ui/detail/fan.tsx'
import { MainAction, NoMainAction, ReachedAction } from '../../ui/detail/main-action.tsx'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { WorkHead } from '../../ui/detail/work-head.tsx'
import { WorkPage } from '../../ui/detail/work-page.tsx'
import { bookCover, seriesCover } from '../item/addresses.ts'
import { useItemText } from '../item/item-text.ts'

interface ListPageFrameProps {
  readonly icon: 'list' | 'series'
  readonly name: string
  readonly summary: string | null
  /** The first of its members, for their covers. */
  readonly members: readonly (SeriesDto | BookDto)[]
  readonly count: number
  /** What is to be known of it before anything else. */
  readonly facts: readonly ReactNode[]
  readonly ahead: ReadingAhead | undefined
  /** Where its next book is read. */
  readonly readAt: (bookId: string) => string
  readonly actions: ReactNode
  readonly children: ReactNode
}

/** A page about a list of series or of books: a fan of covers, how far one is, and where one goes on. */
export const ListPageFrame = ({
  icon,
  name,
  summary,
  members,
  count,
  facts,
  ahead,
  readAt,
  actions,
  children,
}: ListPageFrameProps): ReactNode => {
  const [first] = members
  const main = useMain(ahead, readAt)
  return (
    <WorkPage {...toned(first?.tone)} reach={main && <ReachedAction link={AppLink} {...main} />}>
      <WorkHead
        kind="list"
        cover={<Fan covers={fanOf(members)} icon={icon} count={count} />}
        thumbhash={first?.placeholder}
        title={name}
        facts={[...facts, ...useAheadFacts(ahead)]}
        actions={
          <>
            {main ? <MainAction link={AppLink} {...main} /> : <NoMainAction />}
            {actions}
          </>
        }
      >
        {summary === null ? undefined : <Synopsis text={summary} />}
      </WorkHead>
      {children}
    </WorkPage>
  )
}

export const fanOf = (members: readonly (SeriesDto | BookDto)[]): FanCover[] =>
  members.map((member) => ({
    id: member.id,
    src: 'seriesId' in member ? bookCover(member, 104) : seriesCover(member, 104),
    thumbhash: member.placeholder,
  }))

const useMain = (ahead: ReadingAhead | undefined, readAt: (bookId: string) => string) => {
  const { t } = useTranslation('lists')
  const titleIn = useBookTitle()
  const next = ahead?.next
  if (!next) return undefined
  const isBegun = (ahead.read > 0 && ahead.read < ahead.of) || next.readProgress?.completed === false
  const word = ahead.read === ahead.of ? 'readAgain' : isBegun ? 'continue' : 'readFirst'
  return { to: readAt(next.id), label: t(`named.${word}`), at: titleIn('mixed', next).text }
}

const useAheadFacts = (ahead: ReadingAhead | undefined): (string | undefined)[] => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const duration = useDurationText()
  if (!ahead) return []
  const { read, of, timeLeftMs } = ahead
  return [
    text.count('books', of),
    read === 0 ? undefined : t('named.read', { count: read }),
    timeLeftMs === null || timeLeftMs === 0 ? undefined : t('named.left', { time: duration(timeLeftMs) }),
  ]
}
