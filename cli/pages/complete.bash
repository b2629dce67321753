# files and folders that begin with $2
_cqopt_files() {
  case $1 in
    @file) compgen -f -- "$2" ;;
    @folder) compgen -d -- "$2" ;;
    *)
      compgen -f -X '!*.cfg' -- "$2" || :
      compgen -d -- "$2" ;;
  esac
}

# completes $1 by the words $2..., some of which stand for many
_cqopt_reply() {
  local current=$1 word list=''
  shift
  COMPREPLY=()
  for word in "$@"; do
    case $word in
      @problem) list+=" $(_cqopt_problems)" ;;
      @methods) list+=" $(_cqopt_methods)" ;;
      @commands) list+=" $(_cqopt_commands)" ;;
      @*) ;;
      *) list+=" $word" ;;
    esac
    case $word in
      @problem | @file | @folder)
        compopt -o filenames 2> /dev/null || :
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(_cqopt_files "$word" "$current") ;;
    esac
  done
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$list" -- "$current")
}

_cqopt() {
  local current=${COMP_WORDS[COMP_CWORD]} option='' values
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _cqopt_reply "$current" @commands --help --version
    return
  fi
  # --option VALUE, or --option = VALUE in three words
  option=${COMP_WORDS[COMP_CWORD - 1]}
  if [ "$option" = = ]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  elif [ "$current" = = ]; then
    current=''
  fi
  # the lists are words without blanks or patterns
  # shellcheck disable=SC2046,SC2086
  if values=$(_cqopt_values "${COMP_WORDS[1]}" "$option"); then
    _cqopt_reply "$current" $values
  elif [[ $current == -* ]]; then
    _cqopt_reply "$current" $(_cqopt_options "${COMP_WORDS[1]}")
  else
    _cqopt_reply "$current" $(_cqopt_arguments "${COMP_WORDS[1]}")
  fi
}

complete -F _cqopt cqopt
