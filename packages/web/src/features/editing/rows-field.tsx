import type { RowColumn } from '@carrel/api'
import { ActionIcon, Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../ui/form/number-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { ControlProps } from './control-props.ts'
import type { FieldShape } from '../../metadata/fields.ts'
import { useTruthText } from '../../metadata/value-text.ts'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { PersonInput } from './person-input.tsx'
import styles from './rows-field.module.css'

type RowsShape = Extract<FieldShape, { readonly kind: 'rows' }>
type Entry = Readonly<Record<string, unknown>>

/** Several things of some parts each: people with their roles, links, ratings. */
export const RowsField = ({ shape, value, onChange, error }: ControlProps<RowsShape>): ReactNode => {
  const { t } = useTranslation('editing')
  const rows = Array.isArray(value) ? (value as readonly Entry[]) : []
  const list = useRef<HTMLDivElement>(null)
  const setCell = (position: number, name: string, cell: unknown): void =>
    onChange(rows.map((row, index) => (index === position ? { ...row, [name]: cell } : row)))
  const add = (): void => {
    onChange([...rows, {}])
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('[data-row]:last-child input')?.focus())
  }
  return (
    <Stack gap={2}>
      <Stack gap={2} ref={list}>
        {rows.map((row, position) => (
          // Rows have no name of their own, and their parts hold no state.
          <Row
            gap={2}
            key={position}
            data-row
            className={styles.row}
            role="group"
            aria-label={t('row', { number: position + 1 })}
          >
            {shape.columns.map((column) => (
              <div key={column.name} className={styles.cell} data-kind={column.kind}>
                <Cell
                  column={column}
                  value={row[column.name]}
                  onChange={(cell) => setCell(position, column.name, cell)}
                />
              </div>
            ))}
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('removeRow', { number: position + 1 })}
              onClick={() => onChange(rows.filter((_, index) => index !== position))}
            >
              <Icon name="close" size="small" />
            </ActionIcon>
          </Row>
        ))}
      </Stack>
      {error === undefined ? null : (
        <Text size={13} className={styles.error} role="alert">
          {error}
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        className={styles.add ?? ''}
        leftSection={<Icon name="plus" size="small" />}
        onClick={add}
      >
        {t('add')}
      </Button>
    </Stack>
  )
}

interface CellProps {
  readonly column: RowColumn
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const roles = [
  'writer',
  'penciller',
  'inker',
  'colorist',
  'letterer',
  'cover',
  'editor',
  'translator',
  'author',
  'artist',
]

const Cell = ({ column, value, onChange }: CellProps): ReactNode => {
  const { t } = useTranslation('editing')
  const truthText = useTruthText()
  const label = t(`column.${column.name as 'name'}`)
  const text = typeof value === 'string' ? value : ''
  if (column.suggest === 'people') return <PersonInput label={label} value={text} onChange={onChange} />
  if (column.suggest === 'roles') {
    return <Autocomplete aria-label={label} placeholder={label} data={roles} value={text} onChange={onChange} />
  }
  if (column.kind === 'number') {
    return (
      <NumberField
        aria-label={label}
        placeholder={label}
        hideControls
        min={0}
        allowNegative={false}
        {...(column.max !== undefined && { max: column.max })}
        value={typeof value === 'number' ? value : undefined}
        onChange={(next) => onChange(next ?? null)}
      />
    )
  }
  if (column.kind === 'truth') {
    return (
      <NativeSelect
        aria-label={label}
        data={[
          { value: '', label: t('unsaid') },
          { value: 'true', label: truthText(true) },
          { value: 'false', label: truthText(false) },
        ]}
        value={typeof value === 'boolean' ? String(value) : ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value === 'true')}
      />
    )
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      dir="auto"
      type={column.kind === 'url' ? 'url' : 'text'}
      maxLength={column.kind === 'url' ? 2000 : 500}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
