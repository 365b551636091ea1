import type { BookDto, SeriesDetail } from '@carrel/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addressOfSeries } from '../../api/file-address.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMarks } from '../../lists/marks/use-marks.ts'
import { useWantToRead } from '../../lists/marks/use-want-to-read.ts'
import { useMay, useMe } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProviders } from '../../session/providers.ts'
import { ActionMenu, IconAction, type MenuAction } from '../../ui/action-menu.tsx'
import { MainAction, NoMainAction } from '../../ui/detail/main-action.tsx'
import { IconLink } from '../../ui/icon-link.tsx'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { ForgetHistory } from './forget-history.tsx'
import { useFollow } from './use-follow.ts'
import type { MainActionText } from '../../ui/detail/main-action.tsx'

interface SeriesActionsProps {
  readonly series: SeriesDetail
  readonly next: BookDto | undefined
  readonly main: MainActionText | undefined
}

/** The actions on a series begin with reading on. */
export const SeriesActions = ({ series, next, main }: SeriesActionsProps): ReactNode => {
  const { t } = useTranslation('series')
  const marks = useMarks()
  const want = useWantToRead()
  const goTo = useGoTo()
  const mayDownload = useMay('files:download')
  const isRead = series.unreadCount === 0
  const toggleRead = (): void => void marks.markSeries([series.id], isRead ? 'unread' : 'read')
  const toggleWantToRead = (): void => void want('series', [series], !series.wantToRead)
  const [isForgetting, setForgetting] = useState(false)
  const actions = useSeriesMenu(series, { toggleRead, forget: () => setForgetting(true) })
  const toggleFollow = useFollow(series)
  useShortcuts(t('shortcuts'), [
    ...(next ? [{ keys: 'r', label: t('read'), run: goTo(paths.read(next.id)) }] : []),
    { keys: 'm', label: t(isRead ? 'markUnread' : 'markRead'), run: toggleRead },
    { keys: 'w', label: t(series.wantToRead ? 'dropWanted' : 'addWanted'), run: toggleWantToRead },
    { keys: 'n', label: t(series.following ? 'unfollow' : 'follow'), run: toggleFollow },
  ])
  return (
    <>
      {main ? <MainAction link={AppLink} {...main} /> : <NoMainAction />}
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
      {mayDownload ? <IconLink icon="download" label={t('download')} href={addressOfSeries(series.id)} /> : null}
      <ActionMenu label={t('more')} actions={actions} link={AppLink} />
      {isForgetting ? <ForgetHistory series={series} onClose={() => setForgetting(false)} /> : null}
    </>
  )
}

interface MenuRuns {
  readonly toggleRead: () => void
  readonly forget: () => void
}

const useSeriesMenu = (
  { id, libraryId, unreadCount }: SeriesDetail,
  { toggleRead, forget }: MenuRuns,
): readonly MenuAction[] => {
  const { t } = useTranslation('series')
  const mayEdit = useMay('series:write')
  const mayForget = useMay('progress:write')
  const mayMatch = useProviders('series', libraryId, { enabled: mayEdit }).length > 0
  const mayDownload = useMay('files:download')
  const metadata = useMe().downloadMetadata === 'embedded' ? 'original' : 'embedded'
  const download: MenuAction = {
    key: metadata,
    icon: 'download',
    label: t(metadata === 'embedded' ? 'downloadEmbedded' : 'downloadOriginal'),
    href: addressOfSeries(id, { metadata }),
  }
  return [
    { key: 'read', icon: 'check', label: t(unreadCount === 0 ? 'markUnread' : 'markRead'), run: toggleRead },
    ...(mayDownload ? [download] : []),
    ...(mayEdit
      ? ([
          { key: 'edit', icon: 'edit', label: t('edit'), to: paths.editSeries(id) },
          { key: 'cover', icon: 'book', label: t('chooseCover'), to: paths.seriesCover(id) },
        ] as const)
      : []),
    ...(mayMatch
      ? [{ key: 'match', icon: 'search', label: t('findMetadata'), to: paths.matchSeries(id) } as const]
      : []),
    ...(mayForget ? ([{ key: 'forget', icon: 'trash', label: t('forgetHistory'), run: forget }] as const) : []),
  ]
}
