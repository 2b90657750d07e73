# Writes SOURCES, a list parted by commas, one after the other into OUTPUT, to be compiled as one: what a file keeps in an
# anonymous namespace stands in a namespace of the file there, so that files need not know each other. Messages of the
# compiler and of tests keep the file and line of the source.
string(REPLACE "," ";" sources "${SOURCES}")
set(joined "")
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(folder ${source} DIRECTORY)
  file(READ ${source} content)
  string(REPLACE "\nnamespace {\n" "\nnamespace ${name}_cpp { namespace {\n" content "${content}")
  string(REPLACE "\n}  // namespace\n" "\n} }  // namespace\n" content "${content}")
  # The compiler looks for these beside OUTPUT.
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${content}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE ".*\"(.*)\"" "\\1" header "${include}")
    if(EXISTS ${folder}/${header})
      string(REPLACE "${include}" "#include \"${folder}/${header}\"" content "${content}")
    endif()
  endforeach()
  string(APPEND joined "#line 1 \"${source}\"\n${content}")
endforeach()
file(WRITE ${OUTPUT} "${joined}")
