import { type BookDto, readBookPlacement } from '@carrel/api'
import { type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useItemText } from '../../lists/item/item-text.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'

/** It says why a book is in the series it is in, to those who may put it elsewhere. */
export const usePlacement = ({ id, libraryId }: Pick<BookDto, 'id' | 'libraryId'>): ReactNode => {
  const { t } = useTranslation('books')
  const text = useItemText()
  const mayArrange = useMay('series:write')
  const { data } = useLater(readBookPlacement, { params: { id } }, { enabled: mayArrange })
  if (!mayArrange || !data) return null
  const { because, at, by, otherwise, overrideId } = data
  const who = by?.username ?? t('placement.somebody')
  const words = t(`placement.${because}`, { who, day: at === null ? '–' : text.date(at) })
  const elsewhere = otherwise && otherwise.seriesId !== data.seriesId ? otherwise : null
  return (
    <>
      <span>{overrideId === null ? words : <AppLink to={paths.byHand(libraryId)}>{words}</AppLink>}</span>
      {elsewhere === null ? null : (
        <span dir="auto">
          {elsewhere.seriesId === null ? (
            t('placement.otherwise', { title: elsewhere.title })
          ) : (
            <AppLink to={paths.series(elsewhere.seriesId)}>
              {t('placement.otherwise', { title: elsewhere.title })}
            </AppLink>
          )}
        </span>
      )}
    </>
  )
}
