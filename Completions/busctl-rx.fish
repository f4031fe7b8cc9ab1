# fish completion for busctl-rx. The program names the candidates: see Sources/busctl-rx/Completion.

function __busctl_rx_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (command $words[1] ---complete $words[2..-1] 2>/dev/null)
        set -l parts (string split \t -- $line)
        if test -n "$parts[1]"
            echo $line
            continue
        end
        set -l path (string sub -s (math (string length -- $parts[3]) + 1) -- $words[-1])
        switch $parts[2]
            case files
                printf "$parts[3]%s\n" (__fish_complete_path $path)
            case directories
                printf "$parts[3]%s\n" (__fish_complete_directories $path '')
        end
    end
end

complete -c busctl-rx -f -a '(__busctl_rx_complete)'
