import { type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { useItemName } from '../../text/book-name.tsx'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { FanCard } from '../../ui/cover/fan-card.tsx'
import { toned } from '../../ui/cover/toned.ts'
import type { ItemFocus } from '../../ui/virtual/virtual-list.tsx'
import { bookCover, seriesCover } from '../item/addresses.ts'
import { useItemText } from '../item/item-text.ts'
import { menuOfSubject } from '../menu/use-menu-of.ts'
import type { ListKind, ListTypes } from './kind.ts'
import { useListActions } from './list-menu.tsx'

interface ListCardProps<Types extends ListTypes> {
  readonly kind: ListKind<Types>
  readonly list: Types['entry']
  readonly focus: ItemFocus
}

/** A collection or a read list by a fan of its covers, with how far one is and what comes next. */
export const ListCard = <Types extends ListTypes>({ kind, list, focus }: ListCardProps<Types>): ReactNode => {
  const { t } = useTranslation('lists')
  const { id, name, covers } = list
  const [first] = covers
  const text = useListText(kind, list)
  const reading = useReadingOn(list)
  const open: MenuAction = { key: 'open', icon: kind.icon, label: t('menu.open'), to: kind.pathOf(id), group: 'read' }
  const { actions: changes, windows } = useListActions({ kind, list, on: 'all' })
  const actions = [...reading, open, ...changes]
  const pictureOf = kind.content === 'books' ? bookCover : seriesCover
  return (
    <>
      <FanCard
        covers={covers.map((cover) => ({
          key: cover.id,
          src: pictureOf(cover, 84),
          thumbhash: cover.placeholder,
        }))}
        icon={kind.icon}
        name={name}
        text={text.shown}
        progress={text.progress}
        tone={toned(first?.tone)}
        to={kind.pathOf(id)}
        link={AppLink}
        focus={focus}
        actions={<ActionMenu label={t('quick.more', { title: name })} actions={actions} link={AppLink} />}
        menu={menuOfSubject({
          id,
          name,
          text: text.figures,
          cover: first === undefined ? null : pictureOf(first, 44),
          icon: kind.icon,
          actions,
        })}
      />
      {windows}
    </>
  )
}

const useListText = <Types extends ListTypes>(kind: ListKind<Types>, list: Types['entry']) => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const nameOf = useItemName()
  const { readCount = 0, next } = list
  const count = kind.countOf(list)
  const isDone = count > 0 && readCount === count
  const read = isDone ? t('read') : readCount > 0 ? t('named.read', { count: readCount }) : undefined
  const figures = [text.count(kind.content, count), read].filter((part) => part !== undefined).join(' · ')
  return {
    figures,
    shown: next ? (
      <>
        {figures}
        <br />
        {t('named.nextIs', { title: nameOf(next) })}
      </>
    ) : (
      figures
    ),
    progress: isDone || readCount === 0 ? undefined : readCount / count,
  }
}

/** Straight to the next page, for those who may open books. */
const useReadingOn = ({ id, next, readCount }: ListTypes['entry']): readonly MenuAction[] => {
  const { t } = useTranslation('lists')
  const mayRead = useMay('books:read')
  if (!mayRead || !next) return []
  const word = readCount === 0 ? 'read' : 'continue'
  return [
    { key: 'read', icon: 'play', label: t(`menu.${word}`), to: paths.read(next.id, { readList: id }), group: 'read' },
  ]
}
