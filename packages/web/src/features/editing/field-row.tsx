import { lockOf } from '@carrel/api'
import { ActionIcon, Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { FieldControl } from './field-control.tsx'
import styles from './field-row.module.css'
import { type FieldName, shapeOf } from '../../metadata/fields.ts'
import { SourceList } from './source-list.tsx'
import { type SourcesOfField, useSourceText } from '../../metadata/source-text.ts'
import type { Editor } from './use-editor.ts'
import { useFieldText, useValueText } from '../../metadata/value-text.ts'
import { Row, Stack } from '../../ui/layout/layout.tsx'

interface FieldRowProps {
  readonly editor: Editor
  readonly field: FieldName
  readonly sources: SourcesOfField | undefined
  /** It is the server's message about the field. */
  readonly refusal: string | undefined
}

/** One field: its name, whose word it is, its lock, and below these where it is typed. */
export const FieldRow = ({ editor, field, sources, refusal }: FieldRowProps): ReactNode => {
  const { t } = useTranslation('editing')
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const sourceText = useSourceText()
  const label = useFieldText()(field)
  const isChanged = editor.draft[field] !== undefined
  const hint = isChanged ? t('unsaved') : sources?.shown == null ? undefined : sourceText(sources.shown)
  const error = editor.wrong.includes(field) ? t('wrongJson') : refusal
  const isGroup = shapeOf(field).kind === 'rows'
  return (
    <Stack
      gap={1}
      id={`field-${field}`}
      className={styles.row}
      data-changed={isChanged}
      {...(isGroup && { role: 'group', 'aria-labelledby': `${id}-label` })}
    >
      <Row gap={1} className={styles.head}>
        {isGroup ? (
          <span id={`${id}-label`} className={styles.label}>
            {label}
          </span>
        ) : (
          <label htmlFor={id} className={styles.label}>
            {label}
          </label>
        )}
        {sources === undefined ? (
          <span className={styles.hint}>{hint}</span>
        ) : (
          <Row
            as="button"
            gap="hair"
            inline
            type="button"
            className={styles.source}
            aria-expanded={isOpen}
            aria-label={t('whereFrom', { field: label, source: hint ?? t('nobody') })}
            onClick={() => setIsOpen(!isOpen)}
          >
            {hint ?? t('nobody')}
            <Icon name={isOpen ? 'up' : 'down'} size="small" />
          </Row>
        )}
        <LockButton editor={editor} field={field} label={label} />
      </Row>
      <FieldControl
        id={id}
        field={field}
        value={editor.valueOf(field)}
        onChange={(value) => editor.set(field, value)}
        error={error}
      />
      {editor.conflicts.includes(field) ? <Conflict editor={editor} field={field} /> : null}
      {isOpen && sources ? <SourceList editor={editor} field={field} sources={sources} /> : null}
    </Stack>
  )
}

interface LockButtonProps {
  readonly editor: Editor
  readonly field: FieldName
  readonly label: string
}

/** A locked field stays as it is, whatever scans and plugins say. */
const LockButton = ({ editor, field, label }: LockButtonProps): ReactNode => {
  const { t } = useTranslation('editing')
  if (!editor.entity.lockable.includes(field)) return null
  const lock = lockOf(field)
  const isLocked = editor.valueOf(lock) === true
  return (
    <ActionIcon
      type="button"
      variant={isLocked ? 'light' : 'subtle'}
      color={isLocked ? 'verdigris' : 'gray'}
      className={styles.lock ?? ''}
      aria-pressed={isLocked}
      aria-label={t('lock', { field: label })}
      title={t(isLocked ? 'isLocked' : 'isUnlocked')}
      onClick={() => editor.set(lock, !isLocked)}
    >
      <Icon name={isLocked ? 'lock' : 'unlock'} size="small" />
    </ActionIcon>
  )
}

interface ConflictProps {
  readonly editor: Editor
  readonly field: FieldName
}

/** Somebody else has changed the field first: their value stands beside what is typed, and nothing is lost. */
const Conflict = ({ editor, field }: ConflictProps): ReactNode => {
  const { t } = useTranslation('editing')
  const valueText = useValueText()
  return (
    <Row gap={2} wrap className={styles.conflict} role="alert">
      <p className={styles.conflictText}>
        {t('conflict')} <bdi className={styles.theirs}>{valueText(field, editor.now[field])}</bdi>
      </p>
      <Button size="compact-sm" variant="default" onClick={() => editor.takeTheirs(field)}>
        {t('takeTheirs')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => editor.keepMine(field)}>
        {t('keepMine')}
      </Button>
    </Row>
  )
}
