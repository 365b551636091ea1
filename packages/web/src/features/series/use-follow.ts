import { followSeries, listFollowedSeries, readHome, readSeries, type SeriesDetail, unfollowSeries } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

/** It follows a series, or no longer; says so, and offers to put it back. */
export const useFollow = ({ id, following, title }: SeriesDetail): (() => void) => {
  const { t } = useTranslation('series')
  const textOf = useProblemText()
  const invalidates = [readSeries, listFollowedSeries, readHome]
  const follow = useChange(followSeries, { invalidates })
  const leave = useChange(unfollowSeries, { invalidates })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const put = (isFollowed: boolean, onSuccess?: () => void): void =>
    (isFollowed ? follow : leave).mutate({ params: { id } }, { onError, ...(onSuccess && { onSuccess }) })
  return () =>
    put(!following, () =>
      toast({ text: t(following ? 'unfollowed' : 'followed', { title }), undo: () => put(following) }),
    )
}
