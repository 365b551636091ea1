import { type BookDto, addressOf, downloadSeries, listBooksByCondition, type SeriesDetail } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMarks } from '../../lists/marks/use-marks.ts'
import { useWantToRead } from '../../lists/marks/use-want-to-read.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProviders } from '../../session/providers.ts'
import { ActionMenu, IconAction, type MenuAction } from '../../ui/action-menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { Stack } from '../../ui/layout/layout.tsx'
import { ForgetHistory } from './forget-history.tsx'
import styles from './series-page.module.css'
import { useFollow } from './use-follow.ts'

/** The actions on a series begin with reading on. */
export const SeriesActions = ({ series }: { readonly series: SeriesDetail }): ReactNode => {
  const { t } = useTranslation('series')
  const marks = useMarks()
  const want = useWantToRead()
  const goTo = useGoTo()
  const next = useNextBook(series.id, series.bookCount)
  const isRead = series.unreadCount === 0
  const toggleRead = (): void => void marks.markSeries([series.id], isRead ? 'unread' : 'read')
  const toggleWantToRead = (): void => void want('series', [series], !series.wantToRead)
  const [isForgetting, setForgetting] = useState(false)
  const actions = useSeriesMenu(series, () => setForgetting(true))
  const toggleFollow = useFollow(series)
  useShortcuts(t('shortcuts'), [
    ...(next.book ? [{ keys: 'r', label: t('read'), run: goTo(paths.read(next.book.id)) }] : []),
    { keys: 'm', label: t(isRead ? 'markUnread' : 'markRead'), run: toggleRead },
    { keys: 'w', label: t(series.wantToRead ? 'dropWanted' : 'addWanted'), run: toggleWantToRead },
    { keys: 'n', label: t(series.following ? 'unfollow' : 'follow'), run: toggleFollow },
  ])
  return (
    <>
      {next.book ? (
        <Button component={AppLink} to={paths.read(next.book.id)} size="md" leftSection={<Icon name="play" />}>
          <ReadWord word={wordFor(next.book, isRead)} />
        </Button>
      ) : (
        <Button size="md" disabled leftSection={<Icon name="play" />}>
          <ReadWord word={isRead ? 'readAgain' : 'read'} />
        </Button>
      )}
      <IconAction icon="check" label={t(isRead ? 'markUnread' : 'markRead')} isOn={isRead} onClick={toggleRead} />
      <IconAction
        icon="heart"
        label={t(series.wantToRead ? 'dropWanted' : 'addWanted')}
        isOn={series.wantToRead}
        onClick={toggleWantToRead}
      />
      <IconAction
        icon="bell"
        label={t(series.following ? 'unfollow' : 'follow')}
        isOn={series.following}
        onClick={toggleFollow}
      />
      <ActionMenu label={t('more')} actions={actions} link={AppLink} />
      {isForgetting ? <ForgetHistory series={series} onClose={() => setForgetting(false)} /> : null}
    </>
  )
}

const words = ['read', 'continue', 'readAgain'] as const
type Word = (typeof words)[number]

const wordFor = ({ readProgress }: BookDto, isAgain: boolean): Word => {
  if (isAgain) return 'readAgain'
  return readProgress && !readProgress.completed ? 'continue' : 'read'
}

/**
 * The button is as wide as the longest label: the next book is known later than the series, and nothing may move then.
 */
const ReadWord = ({ word }: { readonly word: Word }): ReactNode => {
  const { t } = useTranslation('series')
  const texts = { read: t('read'), continue: t('continue'), readAgain: t('readAgain') }
  return (
    <Stack as="span" align="center" className={styles.words}>
      {words.map((each) => (
        <span key={each} data-is-said={each === word}>
          {texts[each]}
        </span>
      ))}
    </Stack>
  )
}

/** The book somebody is in the middle of, else the first they have not read, else the first. */
const useNextBook = (seriesId: string, bookCount: number) => {
  const inSeries = { seriesId: { operator: 'is', value: seriesId } } as const
  const status = (value: 'in_progress' | 'unread') =>
    ({ allOf: [inSeries, { readStatus: { operator: 'is', value } }] }) as const
  const enabled = bookCount > 0
  const first = { page: 1, pageSize: 1 } as const
  const begun = useLater(
    listBooksByCondition,
    { query: { ...first, sort: 'last_read,desc' }, body: { condition: status('in_progress') } },
    { enabled },
  )
  const unread = useLater(
    listBooksByCondition,
    { query: { ...first, sort: 'number,asc' }, body: { condition: status('unread') } },
    { enabled },
  )
  const any = useLater(
    listBooksByCondition,
    { query: { ...first, sort: 'number,asc' }, body: { condition: inSeries } },
    { enabled },
  )
  if (!begun.data || !unread.data) return {}
  return { book: begun.data.data[0] ?? unread.data.data[0] ?? any.data?.data[0] }
}

const useSeriesMenu = ({ id, libraryId }: SeriesDetail, forget: () => void): readonly MenuAction[] => {
  const { t } = useTranslation('series')
  const mayEdit = useMay('series:write')
  const mayDownload = useMay('files:download')
  const mayForget = useMay('progress:write')
  const mayMatch = useProviders('series', libraryId, { enabled: mayEdit }).length > 0
  return [
    ...(mayEdit
      ? ([
          { key: 'edit', icon: 'edit', label: t('edit'), to: paths.editSeries(id) },
          { key: 'cover', icon: 'book', label: t('chooseCover'), to: paths.seriesCover(id) },
        ] as const)
      : []),
    ...(mayMatch
      ? [{ key: 'match', icon: 'search', label: t('findMetadata'), to: paths.matchSeries(id) } as const]
      : []),
    ...(mayDownload
      ? ([
          {
            key: 'download',
            icon: 'download',
            label: t('download'),
            href: basePath + addressOf(downloadSeries, { params: { id } }),
          },
        ] as const)
      : []),
    ...(mayForget ? ([{ key: 'forget', icon: 'trash', label: t('forgetHistory'), run: forget }] as const) : []),
  ]
}
