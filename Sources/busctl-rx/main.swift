print("busctl-rx")
