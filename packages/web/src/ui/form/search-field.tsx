import {
  type ChangeEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useState,
} from 'react'
import { Icon } from '../icon.tsx'
import { Row } from '../layout/layout.tsx'
import styles from './search-field.module.css'

interface SearchOption {
  readonly key: string
  /** The row shows it at a fixed height. */
  readonly content: ReactNode
}

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** They are suggestions for `value`; the list is empty where there are none. */
  readonly options: readonly SearchOption[]
  readonly optionsLabel: string
  readonly onChoose: (key: string) => void
  readonly onSubmit: () => void
  readonly input: RefObject<HTMLInputElement | null>
  /** The key that leads here. */
  readonly shortcut: string
}

/** A field to search in: a combobox whose list opens as one types, and that Enter sends as it stands. */
export const SearchField = (props: SearchFieldProps): ReactNode => {
  const { label, placeholder, value, options, optionsLabel, input, shortcut } = props
  const id = useId()
  const { isListed, marked, open, close, choose, change, submit, press } = useCombobox(props)
  return (
    <Row as="form" gap={2} box grow role="search" className={styles.field} onSubmit={submit}>
      <Icon name="search" />
      <input
        ref={input}
        className={styles.input}
        type="text"
        enterKeyHint="search"
        role="combobox"
        aria-label={label}
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isListed && marked >= 0 ? `${id}-${marked}` : undefined}
        aria-keyshortcuts={shortcut}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={500}
        placeholder={placeholder}
        value={value}
        onChange={change}
        onKeyDown={press}
        onFocus={open}
        onBlur={close}
      />
      <kbd className={styles.key} aria-hidden="true">
        {shortcut}
      </kbd>
      <div id={`${id}-list`} role="listbox" aria-label={optionsLabel} className={styles.list} hidden={!isListed}>
        {isListed
          ? options.map((option, index) => (
              <Option
                key={option.key}
                id={`${id}-${index}`}
                option={option}
                isMarked={index === marked}
                onChoose={() => choose(option.key)}
              />
            ))
          : null}
      </div>
    </Row>
  )
}

interface OptionProps {
  readonly id: string
  readonly option: SearchOption
  readonly isMarked: boolean
  readonly onChoose: () => void
}

const Option = ({ id, option, isMarked, onChoose }: OptionProps): ReactNode => (
  // The field keeps the focus: the list is reached with the arrows.
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
  <Row
    gap={3}
    id={id}
    role="option"
    aria-selected={isMarked}
    className={styles.option}
    onPointerDown={(event) => event.preventDefault()}
    onClick={onChoose}
  >
    {option.content}
  </Row>
)

/** It holds whether the list is open, which entry is marked, and what keys do to both. */
const useCombobox = ({ value, onChange, options, onChoose, onSubmit, input }: SearchFieldProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const [marked, setMarked] = useState(-1)
  const isListed = isOpen && options.length > 0
  const close = (): void => {
    setIsOpen(false)
    setMarked(-1)
  }
  const choose = (key: string): void => {
    close()
    onChoose(key)
  }
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    setMarked(-1)
    setIsOpen(true)
    onChange(currentTarget.value)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const option = isListed ? options[marked] : undefined
    if (option) return choose(option.key)
    close()
    onSubmit()
  }
  const press = (event: KeyboardEvent): void => {
    const { key } = event
    if (key === 'Escape') {
      if (isListed) event.stopPropagation()
      if (!isListed && value === '') input.current?.blur()
      else if (!isListed) onChange('')
      close()
    }
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return
    event.preventDefault()
    setIsOpen(true)
    if (options.length > 0) setMarked((from) => markedAfter(from, key === 'ArrowDown' ? 1 : -1, options.length))
  }
  return { isListed, marked, open: () => setIsOpen(true), close, choose, change, submit, press }
}

/** Round and round, with the field itself as one stop. */
const markedAfter = (from: number, step: 1 | -1, count: number): number =>
  ((from + 1 + step + count + 1) % (count + 1)) - 1
