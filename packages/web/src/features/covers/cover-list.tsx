import { addressOf, type CoverDto } from '@carrel/api'
import { ActionIcon, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useRead } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Center, Grid, Stack } from '../../ui/layout/layout.tsx'
import { type Covered, titled } from './covered.ts'
import styles from './cover-list.module.css'
import type { CoverChanges } from './use-cover-changes.ts'

interface CoverListProps {
  readonly of: Covered
  readonly id: string
  readonly changes: CoverChanges
}

/** The list holds all covers: one of them is shown, or none is chosen and the book decides. */
export const CoverList = ({ of, id, changes }: CoverListProps): ReactNode => {
  const { t } = useTranslation('covers')
  const covers = useRead(of.list, { params: { id } })
  const mayChange = useMay(of.kind === 'series' ? 'series:write' : 'books:write')
  const [leaving, setLeaving] = useState<CoverDto>()
  const { metadata } = useRead(titled[of.kind], { params: { id } })
  const selected = metadata.coverLock ? covers.find(({ isSelected }) => isSelected) : undefined
  const remove = (cover: CoverDto): void => {
    // What was uploaded cannot be brought back.
    if (cover.source === 'page' && of.kind === 'book') changes.remove(cover, selected)
    else setLeaving(cover)
  }
  return (
    <>
      <Grid as="ul" gap={4} className={styles.covers}>
        <li className={styles.cover}>
          <Stack
            as="button"
            gap={2}
            pad={2}
            type="button"
            className={styles.choice}
            aria-pressed={!metadata.coverLock}
            disabled={!mayChange}
            onClick={() => changes.select(undefined, selected)}
          >
            <Center as="span" className={styles.automatic}>
              <Icon name="refresh" size="large" />
            </Center>
            <Stack as="span" className={styles.name}>
              {t(`automatic.${of.kind}`)}
            </Stack>
          </Stack>
        </li>
        {covers.map((cover) => (
          <Choice
            key={cover.id}
            cover={cover}
            src={imageOf(of, id, cover)}
            isSelected={cover.id === selected?.id}
            mayChange={mayChange}
            onSelect={() => changes.select(cover, selected)}
            onRemove={() => remove(cover)}
          />
        ))}
      </Grid>
      <RemoveDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onRemove={() => {
          if (leaving) changes.remove(leaving, selected)
          setLeaving(undefined)
        }}
      />
    </>
  )
}

interface ChoiceProps {
  readonly cover: CoverDto
  readonly src: string
  readonly isSelected: boolean
  readonly mayChange: boolean
  readonly onSelect: () => void
  readonly onRemove: () => void
}

const Choice = ({ cover, src, isSelected, mayChange, onSelect, onRemove }: ChoiceProps): ReactNode => {
  const { t } = useTranslation('covers')
  return (
    <li className={styles.cover}>
      <Stack
        as="button"
        gap={2}
        pad={2}
        type="button"
        className={styles.choice}
        aria-pressed={isSelected}
        disabled={!mayChange}
        onClick={onSelect}
      >
        <Cover src={src} thumbhash={cover.placeholder} alt="" />
        <Stack as="span" className={styles.name}>
          <SourceName cover={cover} />
          {cover.width === null ? null : (
            <span className={styles.size}>
              {cover.width} × {cover.height}
            </span>
          )}
        </Stack>
      </Stack>
      {mayChange && (cover.source === 'upload' || cover.source === 'page') ? (
        <ActionIcon className={styles.remove ?? ''} variant="default" aria-label={t('remove')} onClick={onRemove}>
          <Icon name="trash" size="small" />
        </ActionIcon>
      ) : null}
    </li>
  )
}

interface RemoveDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onRemove: () => void
}

const RemoveDialog = ({ isOpen, onClose, onRemove }: RemoveDialogProps): ReactNode => {
  const { t } = useTranslation('covers')
  return (
    <Dialog
      title={t('removeTitle')}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('keep')}
          </Button>
          <Button color="red" onClick={onRemove}>
            {t('remove')}
          </Button>
        </>
      }
    >
      {t('removeText')}
    </Dialog>
  )
}

const imageOf = ({ image }: Covered, id: string, { id: coverId }: CoverDto): string =>
  basePath + addressOf(image, { params: { id, coverId }, query: { size: 'small', v: coverId } })

const SourceName = ({ cover: { source, page } }: { readonly cover: CoverDto }): ReactNode => {
  const { t } = useTranslation('covers')
  if (source === 'page' && page !== null) return t('fromPage', { page })
  if (source === 'upload' || source === 'file' || source === 'sidecar') return t(`source.${source}`)
  return source.replace(/^plugin:/, '')
}
